import { describe, expect, test } from '@jest/globals';
import { parseOwner } from '../../../../engine/index.ts';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';

describe('an owner as people write it', () => {
  test.each([
    ['123456789012', 'account:123456789012', 'account'],
    ['account:123456789012', 'account:123456789012', 'account'],
    ['arn:aws:iam::123456789012:role/deploy', 'account:123456789012', 'account'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com/shop:1', 'account:123456789012', 'account'],
    ['arn:aws:s3:::acme-logs/2026', 'bucket:acme-logs', 'bucket'],
    ['s3://acme-logs', 'bucket:acme-logs', 'bucket'],
    ['gs://acme-logs', 'bucket:acme-logs', 'bucket'],
    ['project:acme-prod', 'project:acme-prod', 'project'],
    ['Project:Acme-Prod', 'project:acme-prod', 'project'],
    ['projects/acme-prod/topics/orders', 'project:acme-prod', 'project'],
    ['deploy@acme-prod.iam.gserviceaccount.com', 'project:acme-prod', 'project'],
    ['eu.gcr.io/acme-prod/shop', 'project:acme-prod', 'project'],
    ['folders/123456', 'folder:123456', 'folder'],
    ['organizations/123456', 'organization:123456', 'organization'],
    [`/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`, `subscription:${SUBSCRIPTION}`, 'subscription'],
    [`subscription:${SUBSCRIPTION.toUpperCase()}`, `subscription:${SUBSCRIPTION}`, 'subscription'],
    [`https://sts.windows.net/${SUBSCRIPTION}/`, `login.microsoftonline.com/${SUBSCRIPTION}`, 'tenant'],
    ['acme.okta.com', 'acme.okta.com', 'tenant'],
    ['Example.com', 'example.com', 'domain'],
    ['*.shop.example.com', 'example.com', 'domain'],
    ['https://api.example.co.uk/v1', 'example.co.uk', 'domain'],
    [' ana@example.com ', 'example.com', 'domain'],
    ['github.com/acme', 'github.com/acme', 'repository_host'],
    ['GitHub.com/Acme/infra', 'github.com/acme', 'repository_host'],
    ['git@github.com:acme/infra.git', 'github.com/acme', 'repository_host'],
    ['ghcr.io/acme/shop:1.2', 'github.com/acme', 'repository_host'],
    ['quay.io/acme/shop', 'quay.io/acme', 'registry'],
    ['acme/shop:1.2', 'docker.io/acme', 'registry'],
    ['acme.azurecr.io/shop:1.2', 'acme.azurecr.io', 'registry'],
    ['203.0.113.7', 'address:203.0.113.7', 'address'],
  ])('%s is %s', (text, owner, kind) => {
    expect(parseOwner(text)).toEqual({ owner, kind });
  });

  test.each([
    ['', /does not name an owner/],
    ['acme', /does not name an owner/],
    [SUBSCRIPTION, /does not name an owner/],
    ['arn:aws:iam::aws:policy/AdministratorAccess', /does not name an owner/],
    ['account:12345', /not a complete name/],
    ['project:-', /not a complete name/],
    ['subscription:acme', /not a complete name/],
    ['10.1.2.3', /internal address/],
    ['db.internal', /internal address/],
    ['datadoghq.com', /vendor/],
    ['project:debian-cloud', /vendor/],
    ['service-1@gcp-sa-pubsub.iam.gserviceaccount.com', /vendor/],
    ['ns-1.awsdns-45.co.uk', /vendor/],
    ['github.com', /vendor/],
    ['ghcr.io', /shared by many/],
    ['co.uk', /shared by many/],
    ['shop.com.ar', /shared by many/],
    ['https://login.microsoftonline.com/common', /shared by many/],
    ['https://api.telegram.org/bot123:abc/sendMessage', /shared by many/],
    ['ana@gmail.com', /free mail/],
    ['acme.ngrok.io', /anyone can register/],
  ])('%j is rejected with the reason', (text, reason) => {
    expect(parseOwner(text)).toEqual({ problem: expect.stringMatching(reason) });
  });
});

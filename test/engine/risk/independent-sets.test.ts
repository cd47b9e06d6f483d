import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../engine/result.ts';
import { judgeAlone, makeChange, ruleIds } from './helpers.ts';

type Row = [title: string, type: string, before: JsonObject, after: JsonObject, level: string];

const update = (type: string, before: JsonObject, after: JsonObject, extra = {}) =>
  judgeAlone(makeChange(type, 'update', [before, after], extra));
const create = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after]));

describe('a secret that is renewed', () => {
  const hidden = { value: true };
  const marked = { before_sensitive: hidden, after_sensitive: hidden };
  test.each<[title: string, before: JsonValue, after: JsonValue, level: string]>([
    ['another value is low', 'a', 'b', 'low'],
    ['an empty value is no renewal', 'a', '', 'medium'],
    ['no value is no renewal', 'a', null, 'medium'],
  ])('%s', (_, before, after, level) => {
    const sides = [{ value: before, version: '1' }, { value: after }] as const;
    const { level: judged } = update('azurerm_key_vault_secret', ...sides, {
      ...marked,
      after_unknown: { version: true },
    });

    expect(judged).toBe(level);
  });

  test('another name or end beside the value decides', () => {
    const judgeRenewal = (before: JsonObject, after: JsonObject) =>
      update('azurerm_key_vault_secret', { value: 'a', ...before }, { value: 'b', ...after }, marked).level;

    expect(judgeRenewal({ content_type: 'a' }, { content_type: 'b' })).toBe('medium');
    expect(judgeRenewal({ expiration_date: null }, { expiration_date: '2027-01-01T00:00:00Z' })).toBe('low');
    expect(judgeRenewal({ expiration_date: '2027-01-01T00:00:00Z' }, { expiration_date: '2026-01-01T00:00:00Z' })).toBe(
      'medium',
    );
  });

  test('a value that nobody marked as sensitive is an ordinary setting', () => {
    expect(update('aws_ssm_parameter', { value: 'a' }, { value: 'b' }).level).toBe('medium');
  });
});

describe('settings that are made stricter or larger', () => {
  test.each<Row>([
    [
      'a topic keeps messages longer',
      'google_pubsub_topic',
      { message_retention_duration: '604800s' },
      { message_retention_duration: '1209600s' },
      'low',
    ],
    [
      'a topic keeps messages shorter',
      'google_pubsub_topic',
      { message_retention_duration: '604800s' },
      { message_retention_duration: '3600s' },
      'medium',
    ],
    ['a TLS profile is raised', 'google_compute_ssl_policy', { profile: 'MODERN' }, { profile: 'RESTRICTED' }, 'low'],
    [
      'a TLS profile is lowered',
      'google_compute_ssl_policy',
      { profile: 'RESTRICTED' },
      { profile: 'COMPATIBLE' },
      'medium',
    ],
    [
      'autoscaling may grow less',
      'azurerm_monitor_autoscale_setting',
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 20, minimum: 4 }] }] },
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 4, minimum: 4 }] }] },
      'medium',
    ],
    [
      'autoscaling may grow a little less',
      'azurerm_monitor_autoscale_setting',
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 20, minimum: 4 }] }] },
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 15, minimum: 4 }] }] },
      'low',
    ],
    [
      'an issuer is another',
      'azurerm_federated_identity_credential',
      { issuer: 'https://a' },
      { issuer: 'https://b' },
      'high',
    ],
  ])('%s', (_, type, before, after, level) => {
    expect(update(type, before, after).level).toBe(level);
  });
});

describe('members of a Google binding', () => {
  const buildBinding = (...members: string[]): JsonObject => ({ role: 'roles/viewer', members });
  const type = 'google_project_iam_binding';

  test('addresses are one whatever their case and order', () => {
    const { reasons } = update(
      type,
      buildBinding('user:Dana@a.eu', 'group:b@a.eu'),
      buildBinding('group:b@a.eu', 'user:dana@a.eu'),
    );

    expect(ruleIds(reasons)).not.toContain('R-IAM-AUTHORITATIVE');
  });

  test('subjects of a pool are told apart by case', () => {
    const pool = 'principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject/';

    expect(update(type, buildBinding(`${pool}Dana`), buildBinding(`${pool}dana`)).level).toBe('high');
  });
});

describe('custom roles', () => {
  const google = (...permissions: string[]): JsonObject => ({ permissions });
  test.each<Row>([
    [
      'the policy of the project',
      'google_project_iam_custom_role',
      google('a.b.get'),
      google('a.b.get', 'resourcemanager.projects.setIamPolicy'),
      'critical',
    ],
    [
      'acting as service accounts',
      'google_project_iam_custom_role',
      google(),
      google('iam.serviceAccounts.actAs'),
      'high',
    ],
    [
      'reading a policy',
      'google_project_iam_custom_role',
      google(),
      google('resourcemanager.projects.getIamPolicy'),
      'medium',
    ],
    ['less than before', 'google_project_iam_custom_role', google('a.b.get', 'a.b.set'), google('a.b.get'), 'low'],
    [
      'the same in another order',
      'google_project_iam_custom_role',
      google('a.b.get', 'a.b.set'),
      google('a.b.set', 'a.b.get'),
      'medium',
    ],
  ])('Google: %s', (_, type, before, after, level) => {
    expect(update(type, before, after).level).toBe(level);
  });

  const azure = (scope: string, ...actions: string[]): JsonObject => ({
    assignable_scopes: [scope],
    permissions: [{ actions }],
  });
  test.each([
    ['a subscription', '/subscriptions/0', 'critical'],
    ['a resource group', '/subscriptions/0/resourceGroups/a', 'high'],
  ])('Azure: handing out rights over %s', (_, scope, level) => {
    const sides = [azure(scope, 'a/read'), azure(scope, 'a/read', 'Microsoft.Authorization/*/write')] as const;

    expect(update('azurerm_role_definition', ...sides).level).toBe(level);
  });

  test('a new one grants nothing yet', () => {
    expect(create('google_project_iam_custom_role', google('iam.serviceAccounts.actAs')).level).toBe('medium');
  });
});

describe('what is new', () => {
  test.each([
    ['reports', '{"effect":{"value":"Audit"}}', [], 'low'],
    ['refuses', '{"effect":{"value":"Deny"}}', [], 'medium'],
    ['says nothing of its effect', '', [], 'medium'],
    ['acts with an identity', '{"effect":{"value":"Audit"}}', [{ type: 'SystemAssigned' }], 'medium'],
  ])('an Azure policy assignment that %s', (_, parameters, identity, level) => {
    expect(create('azurerm_resource_group_policy_assignment', { parameters, identity }).level).toBe(level);
  });

  const key = (...principals: string[]) => ({
    policy: JSON.stringify({
      Statement: principals.map((AWS) => ({ Effect: 'Allow', Principal: { AWS }, Action: 'kms:*', Resource: '*' })),
    }),
  });

  test('a key belongs to the account that its policy names as owner', () => {
    expect(create('aws_kms_key', key('arn:aws:iam::123456789012:root')).level).toBe('low');
    expect(create('aws_kms_key', key('arn:aws:iam::123456789012:root', 'arn:aws:iam::210987654321:root')).level).toBe(
      'medium',
    );
  });
});

describe('a role that any workload of a platform may take on', () => {
  const trust = (sub: string) =>
    JSON.stringify({
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Federated: 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com' },
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: { StringLike: { 'token.actions.githubusercontent.com:sub': sub } },
        },
      ],
    });
  const judgeTrust = (managed_policy_arns: string[], from: string, to: string) =>
    update(
      'aws_iam_role',
      { managed_policy_arns, assume_role_policy: trust(from) },
      { managed_policy_arns, assume_role_policy: trust(to) },
    ).level;

  test('is worse where the role administers', () => {
    expect(judgeTrust(['arn:aws:iam::aws:policy/AdministratorAccess'], 'repo:a/b:*', 'repo:*:ref:main')).toBe(
      'critical',
    );
    expect(judgeTrust(['arn:aws:iam::aws:policy/ReadOnlyAccess'], 'repo:a/b:*', 'repo:*:ref:main')).toBe('high');
    expect(judgeTrust(['arn:aws:iam::aws:policy/AdministratorAccess'], 'repo:a/b:*', 'repo:a/b:ref:main')).toBe(
      'medium',
    );
  });
});

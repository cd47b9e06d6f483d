import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { judgeAlone, makeChange, ruleIds } from './helpers.ts';

type Row = [title: string, type: string, before: JsonObject, after: JsonObject, level: string];

const update = (type: string, before: JsonObject, after: JsonObject, extra = {}) =>
  judgeAlone(makeChange(type, 'update', [before, after], extra));
const create = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after]));

describe('an update of a secret', () => {
  const hidden = { value: true };
  const marked = { before_sensitive: hidden, after_sensitive: hidden };
  test.each<[title: string, before: JsonValue, after: JsonValue, level: string]>([
    ['with a new value is low', 'a', 'b', 'low'],
    ['with an empty value is medium', 'a', '', 'medium'],
    ['without a value is medium', 'a', null, 'medium'],
  ])('%s', (_, before, after, level) => {
    const sides = [{ value: before, version: '1' }, { value: after }] as const;
    const { level: judged } = update('azurerm_key_vault_secret', ...sides, {
      ...marked,
      after_unknown: { version: true },
    });

    expect(judged).toBe(level);
  });

  test('is rated by its other attributes when they change, too', () => {
    const judgeRenewal = (before: JsonObject, after: JsonObject) =>
      update('azurerm_key_vault_secret', { value: 'a', ...before }, { value: 'b', ...after }, marked).level;

    expect(judgeRenewal({ content_type: 'a' }, { content_type: 'b' })).toBe('low');
    expect(judgeRenewal({ expiration_date: null }, { expiration_date: '2027-01-01T00:00:00Z' })).toBe('low');
    expect(judgeRenewal({ expiration_date: '2027-01-01T00:00:00Z' }, { expiration_date: '2026-01-01T00:00:00Z' })).toBe(
      'medium',
    );
  });

  test('is low when its value is not marked as sensitive', () => {
    expect(update('aws_ssm_parameter', { value: 'a' }, { value: 'b' }).level).toBe('low');
  });
});

describe('a stricter, looser, larger or smaller setting', () => {
  test.each<Row>([
    [
      'is low when a topic keeps messages longer',
      'google_pubsub_topic',
      { message_retention_duration: '604800s' },
      { message_retention_duration: '1209600s' },
      'low',
    ],
    [
      'is medium when a topic keeps messages for a shorter time',
      'google_pubsub_topic',
      { message_retention_duration: '604800s' },
      { message_retention_duration: '259200s' },
      'medium',
    ],
    [
      'is low when a TLS profile becomes stricter',
      'google_compute_ssl_policy',
      { profile: 'MODERN' },
      { profile: 'RESTRICTED' },
      'low',
    ],
    [
      'is medium when a TLS profile becomes weaker',
      'google_compute_ssl_policy',
      { profile: 'RESTRICTED' },
      { profile: 'COMPATIBLE' },
      'medium',
    ],
    [
      'is medium when the maximum of autoscaling drops by more than half',
      'azurerm_monitor_autoscale_setting',
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 20, minimum: 4 }] }] },
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 4, minimum: 4 }] }] },
      'medium',
    ],
    [
      'is low when the maximum of autoscaling drops slightly',
      'azurerm_monitor_autoscale_setting',
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 20, minimum: 4 }] }] },
      { profile: [{ name: 'd', capacity: [{ default: 4, maximum: 15, minimum: 4 }] }] },
      'low',
    ],
    [
      'is high when the issuer of a federated credential changes',
      'azurerm_federated_identity_credential',
      { issuer: 'https://a' },
      { issuer: 'https://b' },
      'high',
    ],
  ])('%s', (_, type, before, after, level) => {
    expect(update(type, before, after).level).toBe(level);
  });
});

describe('the members of a Google binding', () => {
  const buildBinding = (...members: string[]): JsonObject => ({ role: 'roles/viewer', members });
  const type = 'google_project_iam_binding';

  test('are compared without the case of addresses and without their order', () => {
    const { reasons } = update(
      type,
      buildBinding('user:Dana@a.eu', 'group:b@a.eu'),
      buildBinding('group:b@a.eu', 'user:dana@a.eu'),
    );

    expect(ruleIds(reasons)).not.toContain('R-IAM-AUTHORITATIVE');
  });

  test('are compared with the case of pool subjects', () => {
    const pool = 'principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/subject/';

    expect(update(type, buildBinding(`${pool}Dana`), buildBinding(`${pool}dana`)).level).toBe('high');
  });
});

describe('a custom role', () => {
  const google = (...permissions: string[]): JsonObject => ({ permissions });
  test.each<Row>([
    [
      'that can set the policy of the project is critical',
      'google_project_iam_custom_role',
      google('a.b.get'),
      google('a.b.get', 'resourcemanager.projects.setIamPolicy'),
      'critical',
    ],
    [
      'that can impersonate service accounts is high',
      'google_project_iam_custom_role',
      google(),
      google('iam.serviceAccounts.actAs'),
      'high',
    ],
    [
      'that can read a policy is medium',
      'google_project_iam_custom_role',
      google(),
      google('resourcemanager.projects.getIamPolicy'),
      'medium',
    ],
    [
      'with fewer permissions is low',
      'google_project_iam_custom_role',
      google('a.b.get', 'a.b.set'),
      google('a.b.get'),
      'low',
    ],
    [
      'with reordered permissions is medium',
      'google_project_iam_custom_role',
      google('a.b.get', 'a.b.set'),
      google('a.b.set', 'a.b.get'),
      'medium',
    ],
  ])('of Google %s', (_, type, before, after, level) => {
    expect(update(type, before, after).level).toBe(level);
  });

  const azure = (scope: string, ...actions: string[]): JsonObject => ({
    assignable_scopes: [scope],
    permissions: [{ actions }],
  });
  test.each([
    ['a subscription', '/subscriptions/0', 'critical'],
    ['a resource group', '/subscriptions/0/resourceGroups/a', 'high'],
  ])('of Azure that can grant permissions on %s has the level of that scope', (_, scope, level) => {
    const sides = [azure(scope, 'a/read'), azure(scope, 'a/read', 'Microsoft.Authorization/*/write')] as const;

    expect(update('azurerm_role_definition', ...sides).level).toBe(level);
  });

  test('that is new is medium, because it grants nothing yet', () => {
    expect(create('google_project_iam_custom_role', google('iam.serviceAccounts.actAs')).level).toBe('medium');
  });
});

describe('a new resource', () => {
  test.each([
    ['is low when it only reports', '{"effect":{"value":"Audit"}}', [], 'low'],
    ['is medium when it denies', '{"effect":{"value":"Deny"}}', [], 'medium'],
    ['is medium when its effect is not set', '', [], 'medium'],
    ['is medium when it has an identity', '{"effect":{"value":"Audit"}}', [{ type: 'SystemAssigned' }], 'medium'],
  ])('that is an Azure policy assignment %s', (_, parameters, identity, level) => {
    expect(create('azurerm_resource_group_policy_assignment', { parameters, identity }).level).toBe(level);
  });

  const key = (...principals: string[]) => ({
    policy: JSON.stringify({
      Statement: principals.map((AWS) => ({ Effect: 'Allow', Principal: { AWS }, Action: 'kms:*', Resource: '*' })),
    }),
  });

  test('that is a key is low when its policy names one owner account and medium with two', () => {
    expect(create('aws_kms_key', key('arn:aws:iam::123456789012:root')).level).toBe('low');
    expect(create('aws_kms_key', key('arn:aws:iam::123456789012:root', 'arn:aws:iam::210987654321:root')).level).toBe(
      'medium',
    );
  });
});

describe('a role that any workload of a platform can assume', () => {
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

  test('is critical when the role grants administrator access, and high otherwise', () => {
    expect(judgeTrust(['arn:aws:iam::aws:policy/AdministratorAccess'], 'repo:a/b:*', 'repo:*:ref:main')).toBe(
      'critical',
    );
    expect(judgeTrust(['arn:aws:iam::aws:policy/ReadOnlyAccess'], 'repo:a/b:*', 'repo:*:ref:main')).toBe('high');
    expect(judgeTrust(['arn:aws:iam::aws:policy/AdministratorAccess'], 'repo:a/b:*', 'repo:a/b:ref:main')).toBe('low');
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

const SUBSCRIPTION = '/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590';

describe('an Azure role for one service', () => {
  const assignment = (role_definition_name: string, scope: string) => ({
    role_definition_name,
    scope,
    principal_id: 'p',
  });

  test.each([
    'Key Vault Administrator',
    'Storage Blob Data Owner',
    'Virtual Machine Contributor',
    'Azure Kubernetes Service RBAC Cluster Admin',
  ])('%s is high only on a whole subscription', (name) => {
    expect(judge('create', 'azurerm_role_assignment', { after: assignment(name, SUBSCRIPTION) })).toEqual({
      'R-IAM-WIDE': 'high',
    });
    const after = assignment(name, `${SUBSCRIPTION}/resourceGroups/app`);
    expect(judge('create', 'azurerm_role_assignment', { after })).toEqual({});
  });

  test.each(['Reader', 'Monitoring Contributor', 'Tag Contributor', 'Key Vault Reader'])(
    '%s gives no reason',
    (name) => {
      expect(judge('create', 'azurerm_role_assignment', { after: assignment(name, SUBSCRIPTION) })).toEqual({});
    },
  );

  test('is rated again when it is replaced by another role', () => {
    const before = assignment('Virtual Machine Contributor', SUBSCRIPTION);
    const after = assignment('Key Vault Administrator', SUBSCRIPTION);
    expect(judge('replace', 'azurerm_role_assignment', { before, after })).toEqual({ 'R-IAM-WIDE': 'high' });
    expect(
      judge('replace', 'azurerm_role_assignment', {
        before: { ...before, description: 'a' },
        after: { ...before, description: 'b' },
      }),
    ).toEqual({});
  });
});

describe('an Azure custom role', () => {
  const role = (permission: JsonObject) => ({ permissions: [{ actions: [], not_actions: [], ...permission }] });
  const type = 'azurerm_role_definition';

  test.each<[JsonObject, JsonObject, string]>([
    [{ actions: ['Microsoft.Compute/*/read'] }, { actions: ['Microsoft.Authorization/*'] }, 'R-IAM-WIDE'],
    [{ actions: ['*/read'] }, { actions: ['*/read', 'Microsoft.Authorization/roleAssignments/write'] }, 'R-IAM-WIDE'],
    [{ data_actions: [] }, { data_actions: ['*'] }, 'R-IAM-WIDE'],
    [
      { actions: ['*'], not_actions: ['Microsoft.Authorization/*/Write'] },
      { actions: ['*'], not_actions: [] },
      'R-IAM-CONDITION',
    ],
  ])('that changes from %j to %j is high, and the reverse change gives no reason', (safe, dangerous, rule) => {
    expect(judge('update', type, { before: role(safe), after: role(dangerous) })).toEqual({ [rule]: 'high' });
    expect(judge('update', type, { before: role(dangerous), after: role(safe) })).toEqual({});
  });

  test('gives no reason when it can read role assignments or drops an exclusion without effect', () => {
    const before = role({ actions: ['Microsoft.Compute/virtualMachines/read'], not_actions: ['Microsoft.Sql/*'] });
    const after = role({ actions: ['Microsoft.Authorization/roleAssignments/read'] });
    expect(judge('update', type, { before, after })).toEqual({});
  });
});

describe('a Google privilege', () => {
  test.each(['roles/iam.serviceAccountTokenCreator', 'roles/iam.serviceAccountUser', 'roles/iam.roleAdmin'])(
    '%s is high on a project but not on a single service account',
    (role) => {
      const grant = { role, member: 'user:a@example.com' };
      expect(judge('create', 'google_project_iam_member', { after: { project: 'p', ...grant } })).toEqual({
        'R-IAM-WIDE': 'high',
      });
      expect(judge('create', 'google_service_account_iam_member', { after: grant })['R-IAM-WIDE']).toBeUndefined();
    },
  );

  test('project metadata that turns off OS Login is high', () => {
    const metadata = (value: string) => ({ metadata: { 'enable-oslogin': value } });
    const sides = { before: metadata('TRUE'), after: metadata('FALSE') };
    expect(judge('update', 'google_compute_project_metadata', sides)).toEqual({
      'R-ATTR-google_compute_project_metadata.metadata': 'high',
    });
    expect(judge('update', 'google_compute_project_metadata', { before: sides.after, after: sides.before })).toEqual(
      {},
    );
  });
});

test('an IoT policy that starts to allow every action is high', () => {
  const policy = (Action: string, Resource: string) => ({
    policy: JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] }),
  });
  const before = policy('iot:Connect', 'arn:aws:iot:eu-west-1:111122223333:client/a');
  expect(judge('update', 'aws_iot_policy', { before, after: policy('iot:*', '*') })).toEqual({
    'R-IAM-WILDCARD': 'high',
  });
  expect(judge('update', 'aws_iot_policy', { before: policy('iot:*', '*'), after: before })).toEqual({});
});

type Case = [type: string, safe: JsonObject, dangerous: JsonObject, level: string];

const CASES: Case[] = [
  ['aws_db_snapshot', { shared_accounts: [] }, { shared_accounts: ['all'] }, 'critical'],
  ['aws_db_cluster_snapshot', { shared_accounts: [] }, { shared_accounts: ['444455556666'] }, 'medium'],
  ['aws_snapshot_create_volume_permission', { account_id: '111122223333' }, { account_id: 'all' }, 'critical'],
  ['aws_appsync_graphql_api', { authentication_type: 'AWS_IAM' }, { authentication_type: 'API_KEY' }, 'high'],
  [
    'aws_opensearch_domain',
    { domain_endpoint_options: [{ tls_security_policy: 'Policy-Min-TLS-1-2-PFS-2023-10' }] },
    { domain_endpoint_options: [{ tls_security_policy: 'Policy-Min-TLS-1-0-2019-07' }] },
    'high',
  ],
  ['aws_api_gateway_domain_name', { security_policy: 'TLS_1_2' }, { security_policy: 'TLS_1_0' }, 'high'],
  [
    'aws_elasticsearch_domain',
    { encrypt_at_rest: [{ enabled: true }] },
    { encrypt_at_rest: [{ enabled: false }] },
    'critical',
  ],
  [
    'aws_cognito_user_pool',
    { password_policy: [{ minimum_length: 12 }] },
    { password_policy: [{ minimum_length: 6 }] },
    'medium',
  ],
  ['aws_route53domains_registered_domain', { transfer_lock: true }, { transfer_lock: false }, 'medium'],
  [
    'google_container_node_pool',
    { node_config: [{ workload_metadata_config: [{ mode: 'GKE_METADATA' }] }] },
    { node_config: [{ workload_metadata_config: [{ mode: 'GCE_METADATA' }] }] },
    'high',
  ],
];

test.each(CASES)('%s: changing %j to %j gives one reason, at level %s', (type, safe, dangerous, level) => {
  const { reasons } = findings('update', type, { before: safe, after: dangerous });
  expect(reasons.map((reason) => reason.level)).toEqual([level]);
});

test.each(CASES)('%s gives no reason for the reverse change', (type, safe, dangerous, _level) => {
  expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
  expect(judge('update', type, { before: dangerous, after: dangerous })).toEqual({});
});

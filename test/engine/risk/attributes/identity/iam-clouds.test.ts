import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

describe('a Google grant', () => {
  const member = (role: string, name = 'user:a@example.com') => ({ role, member: name });

  test.each([
    ['google_project_iam_member', 'roles/owner', 'R-IAM-ADMIN', 'critical'],
    ['google_project_iam_member', 'roles/iam.securityAdmin', 'R-IAM-ADMIN', 'critical'],
    ['google_project_iam_member', 'roles/resourcemanager.projectIamAdmin', 'R-IAM-ADMIN', 'critical'],
    ['google_project_iam_member', 'roles/editor', 'R-IAM-WIDE', 'high'],
    ['google_project_iam_member', 'roles/storage.admin', 'R-IAM-WIDE', 'high'],
    ['google_project_iam_member', 'roles/viewer', 'R-IAM-WIDE', undefined],
    ['google_project_iam_member', 'roles/storage.objectAdmin', 'R-IAM-WIDE', undefined],
    ['google_organization_iam_member', 'roles/editor', 'R-IAM-ADMIN', 'critical'],
    ['google_organization_iam_member', 'roles/resourcemanager.organizationAdmin', 'R-IAM-ADMIN', 'critical'],
    ['google_folder_iam_member', 'roles/editor', 'R-IAM-ADMIN', 'critical'],
    ['google_storage_bucket_iam_member', 'roles/storage.admin', 'R-IAM-WIDE', undefined],
  ])('%s of %s is rated by its role and parent', (type, role, rule, level) => {
    expect(judge('create', type, { after: member(role) })[rule]).toBe(level);
    expect(
      judge('update', type, { before: { ...member(role), etag: 'a' }, after: { ...member(role), etag: 'b' } }),
    ).toEqual({});
  });

  const pool = 'principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/build';

  test.each([
    ['google_storage_bucket_iam_member', 'roles/storage.objectViewer', `${pool}/*`, 'high'],
    ['google_service_account_iam_member', 'roles/iam.workloadIdentityUser', `${pool}/*`, 'high'],
    [
      'google_storage_bucket_iam_member',
      'roles/storage.objectViewer',
      'principalSet://iam.googleapis.com/locations/global/workforcePools/staff/*',
      'high',
    ],
    ['google_storage_bucket_iam_member', 'roles/storage.objectViewer', `${pool}/attribute.repository/a/b`, undefined],
    ['google_storage_bucket_iam_member', 'roles/storage.objectViewer', 'user:a@example.com', undefined],
  ])('%s of %s to %s is rated by whether the whole pool gets it', (type, role, name, level) => {
    expect(judge('create', type, { after: member(role, name) })['R-IAM-TRUST']).toBe(level);
  });

  test.each([
    ['google_project_iam_member', 'roles/viewer', 'R-IAM-TRUST', 'critical'],
    ['google_kms_crypto_key_iam_member', 'roles/cloudkms.viewer', 'R-IAM-TRUST', 'critical'],
    ['google_cloud_run_service_iam_member', 'roles/run.invoker', 'R-IAM-TRUST', 'high'],
    ['google_cloudfunctions_function_iam_member', 'roles/cloudfunctions.invoker', 'R-IAM-TRUST', 'high'],
    ['google_storage_bucket_iam_member', 'roles/storage.objectViewer', 'R-STO-PUBLIC', 'high'],
    ['google_storage_bucket_iam_member', 'roles/storage.objectAdmin', 'R-STO-PUBLIC', 'critical'],
  ])('%s of %s to everyone is reported by %s at level %s', (type, role, rule, level) => {
    for (const name of ['allUsers', 'allAuthenticatedUsers'])
      expect(judge('create', type, { after: member(role, name) })[rule]).toBe(level);
  });

  test('a binding that adds everyone is rated by the new member', () => {
    const before = { role: 'roles/storage.objectViewer', members: ['user:a@example.com'] };
    const after = { ...before, members: [...before.members, 'allUsers'] };
    expect(judge('update', 'google_storage_bucket_iam_binding', { before, after })).toEqual({ 'R-STO-PUBLIC': 'high' });
    expect(judge('update', 'google_storage_bucket_iam_binding', { before: after, after: before })).toEqual({});
  });

  test('a project binding reports the members that it removes', () => {
    const before = { project: 'p', role: 'roles/viewer', members: ['user:a@example.com', 'user:b@example.com'] };
    const after = { ...before, members: ['user:b@example.com'] };
    expect(judge('create', 'google_project_iam_binding', { after })).toEqual({ 'R-IAM-AUTHORITATIVE': 'medium' });
    expect(judge('update', 'google_project_iam_binding', { before, after })).toEqual({ 'R-IAM-AUTHORITATIVE': 'high' });
    expect(
      judge('update', 'google_project_iam_binding', {
        before,
        after: { ...before, members: [...before.members].reverse() },
      }),
    ).toEqual({});
    expect(judge('delete', 'google_project_iam_binding', { before })).toEqual({ 'R-IAM-AUTHORITATIVE': 'high' });
    expect(findings('update', 'google_project_iam_binding', { before, after }).reasons[0]!.message).toContain(
      'user:a@example.com',
    );
  });

  const data = (...bindings: JsonObject[]) => ({ policy_data: JSON.stringify({ bindings }) });
  const viewer = { role: 'roles/viewer', members: ['user:a@example.com', 'user:b@example.com'] };

  test.each([
    ['google_organization_iam_policy', 'critical'],
    ['google_folder_iam_policy', 'critical'],
    ['google_project_iam_policy', 'critical'],
    ['google_billing_account_iam_policy', 'critical'],
    ['google_storage_bucket_iam_policy', 'high'],
  ])('%s replaces every grant of its parent and has the level %s', (type, level) => {
    expect(judge('create', type, { after: data(viewer) })['R-IAM-AUTHORITATIVE']).toBe(level);
    expect(judge('delete', type, { before: data(viewer) })['R-IAM-AUTHORITATIVE']).toBe(level);
    expect(judge('update', type, { before: data(), after: data(viewer) })['R-IAM-AUTHORITATIVE']).toBe(level);
    const reordered = data({ members: [...viewer.members].reverse(), role: viewer.role });
    expect(judge('update', type, { before: data(viewer), after: reordered })).toEqual({});
  });

  test('deleting the policy of a bucket together with the bucket gives no reason', () => {
    const before = { bucket: 'logs', ...data(viewer) };
    expect(
      judge('delete', 'google_storage_bucket_iam_policy', { before, facts: { destroyed: new Set(['logs']) } }),
    ).toEqual({});
  });

  test('a role to impersonate a service account is high, and medium when the grant is new', () => {
    const after = member('roles/iam.serviceAccountTokenCreator');
    const rule = 'R-ATTR-google_service_account_iam_member.role';
    expect(judge('create', 'google_service_account_iam_member', { after })[rule]).toBe('medium');
    expect(judge('replace', 'google_service_account_iam_member', { before: member('roles/viewer'), after })[rule]).toBe(
      'high',
    );
  });
});

describe('an Azure role', () => {
  const subscription = '/subscriptions/00000000-0000-0000-0000-000000000000';
  const below = `${subscription}/resourceGroups/web`;
  const group = '/providers/Microsoft.Management/managementGroups/root';

  test.each([
    ['Owner', subscription, 'R-IAM-ADMIN', 'critical'],
    ['User Access Administrator', group, 'R-IAM-ADMIN', 'critical'],
    ['Owner', below, 'R-IAM-WIDE', 'high'],
    ['Contributor', subscription, 'R-IAM-WIDE', 'high'],
    ['Contributor', below, 'R-IAM-WIDE', 'medium'],
    ['Reader', subscription, 'R-IAM-WIDE', undefined],
    ['Storage Blob Data Contributor', subscription, 'R-IAM-WIDE', undefined],
  ])('%s on %s is rated by its scope', (role_definition_name, scope, rule, level) => {
    expect(
      judge('create', 'azurerm_role_assignment', { after: { role_definition_name, scope, principal_id: 'p' } })[rule],
    ).toBe(level);
  });

  test('a built-in role is recognized by its id', () => {
    const after = {
      role_definition_id: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635`,
      scope: subscription,
      principal_id: 'p',
    };
    expect(judge('create', 'azurerm_role_assignment', { after })).toEqual({ 'R-IAM-ADMIN': 'critical' });
  });

  test('the same role for the same principal gives no reason', () => {
    const before = { role_definition_name: 'Owner', scope: subscription, principal_id: 'p', description: 'a' };
    expect(judge('update', 'azurerm_role_assignment', { before, after: { ...before, description: 'b' } })).toEqual({});
    expect(judge('replace', 'azurerm_role_assignment', { before: { ...before, scope: below }, after: before })).toEqual(
      { 'R-IAM-ADMIN': 'critical' },
    );
  });

  test('a custom role that starts to allow every action is critical', () => {
    const role = (...actions: string[]) => ({ permissions: [{ actions }] });
    expect(judge('update', 'azurerm_role_definition', { before: role('a/read'), after: role('a/read', '*') })).toEqual({
      'R-IAM-ADMIN': 'critical',
    });
    expect(judge('update', 'azurerm_role_definition', { before: role('*'), after: role('b/read', '*') })).toEqual({});
    expect(judge('create', 'azurerm_role_definition', { after: role('*/read') })).toEqual({});
  });

  test('an access policy that starts to allow destroying keys or reading secrets is high', () => {
    const before = { key_permissions: ['Get'], secret_permissions: ['List'] };
    expect(
      judge('update', 'azurerm_key_vault_access_policy', {
        before,
        after: { key_permissions: ['Get', 'Purge'], secret_permissions: ['List', 'get'] },
      }),
    ).toEqual({
      'R-ATTR-azurerm_key_vault_access_policy.key_permissions': 'high',
      'R-ATTR-azurerm_key_vault_access_policy.secret_permissions': 'high',
    });
    expect(
      judge('update', 'azurerm_key_vault_access_policy', {
        before,
        after: { key_permissions: ['Get', 'List'], secret_permissions: [] },
      }),
    ).toEqual({});
  });
});

describe('a Kubernetes resource', () => {
  const binding = (role: string, ...names: string[]) => ({
    role_ref: [{ kind: 'ClusterRole', name: role }],
    subject: names.map((name) => ({ kind: 'User', name, namespace: '' })),
  });

  test.each([
    ['kubernetes_cluster_role_binding', binding('cluster-admin', 'a'), { 'R-IAM-ADMIN': 'critical' }],
    ['kubernetes_cluster_role_binding_v1', binding('view', 'a'), {}],
    ['kubernetes_role_binding', binding('cluster-admin', 'a'), { 'R-IAM-WIDE': 'high' }],
    ['kubernetes_cluster_role_binding', binding('view', 'system:anonymous'), { 'R-IAM-TRUST': 'critical' }],
  ])('%s %j gives the reasons %j', (type, after, expected) => {
    expect(judge('create', type, { after })).toEqual(expected);
    expect(judge('update', type, { before: after, after: { ...after, metadata: [{ labels: { a: 'b' } }] } })).toEqual(
      {},
    );
  });

  test('a role is critical with every permission and high with read access to secrets', () => {
    const rule = (verbs: string[], resources: string[]) => ({ rule: [{ api_groups: ['*'], verbs, resources }] });
    expect(judge('create', 'kubernetes_cluster_role', { after: rule(['*'], ['*']) })).toEqual({
      'R-IAM-ADMIN': 'critical',
    });
    expect(judge('create', 'kubernetes_cluster_role', { after: rule(['get'], ['secrets']) })).toEqual({
      'R-IAM-WILDCARD': 'high',
    });
    expect(judge('create', 'kubernetes_cluster_role', { after: rule(['get'], ['pods']) })).toEqual({});
  });

  const pod = (spec: JsonObject) => ({ spec: [{ template: [{ spec: [spec] }] }] });
  const container = (security: JsonObject) => ({ container: [{ name: 'a', security_context: [security] }] });

  test.each([
    [container({ privileged: true }), 'high'],
    [{ host_network: true }, 'high'],
    [{ host_pid: true }, 'high'],
    [container({ run_as_user: '0' }), 'medium'],
    [container({ run_as_user: '1000', privileged: false }), undefined],
  ])('a pod with %j is rated by its privileges', (spec, level) => {
    expect(judge('create', 'kubernetes_deployment', { after: pod(spec) })['R-CMP-PRIV']).toBe(level);
    expect(
      judge('update', 'kubernetes_daemon_set_v1', { before: pod(container({})), after: pod(spec) })['R-CMP-PRIV'],
    ).toBe(level);
    expect(judge('create', 'kubernetes_pod', { after: { spec: [spec] } })['R-CMP-PRIV']).toBe(level);
  });

  test.each([
    ['aws_eks_cluster', (ranges: string[]) => ({ vpc_config: [{ public_access_cidrs: ranges }] }), 'high'],
    [
      'azurerm_kubernetes_cluster',
      (ranges: string[]) => ({ api_server_access_profile: [{ authorized_ip_ranges: ranges }] }),
      'high',
    ],
    [
      'google_container_cluster',
      (ranges: string[]) => ({
        master_authorized_networks_config: [{ cidr_blocks: ranges.map((cidr_block) => ({ cidr_block })) }],
      }),
      'critical',
    ],
  ])('%s is reported when its API becomes open to the internet', (type, cluster, level) => {
    const before = cluster(['10.0.0.0/8']);
    expect(judge('update', type, { before, after: cluster(['10.0.0.0/8', '0.0.0.0/0']) })['R-K8S-PUBLICAPI']).toBe(
      level,
    );
    expect(judge('update', type, { before, after: cluster([]) })['R-K8S-PUBLICAPI']).toBe(level);
    expect(judge('update', type, { before, after: cluster(['10.1.0.0/16']) })).toEqual({});
    expect(findings('update', type, { before: cluster(['0.0.0.0/0']), after: before }).change.diffs[0]!.direction).toBe(
      'strengthening',
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange, ruleIds } from '../helpers.ts';

const create = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after]));
const remove = (type: string, before: JsonObject) => judgeAlone(makeChange(type, 'delete', [before, null]));
const update = (type: string, before: JsonObject, after: JsonObject) => {
  const change = makeChange(type, 'update', [before, after]);
  return { change, ...judgeAlone(change) };
};

describe('a Kubernetes manifest', () => {
  const type = 'kubernetes_manifest';
  const manifest = (kind: string, more: JsonObject = {}) => ({ manifest: { kind, metadata: { name: 'x' }, ...more } });
  const pod = (spec: JsonObject) => manifest('Deployment', { spec: { replicas: 2, template: { spec } } });
  const binding = (name: string, group: string) =>
    manifest('ClusterRoleBinding', { roleRef: { name }, subjects: [{ kind: 'Group', name: group }] });

  test.each([
    ['Namespace', 'critical'],
    ['PersistentVolumeClaim', 'critical'],
    ['CustomResourceDefinition', 'critical'],
    ['Deployment', 'high'],
    ['NetworkPolicy', 'high'],
    ['ConfigMap', 'medium'],
  ])('of kind %s has the level %s on delete', (kind, level) => {
    expect(remove(type, manifest(kind)).level).toBe(level);
  });

  test('is rated by its permissions like the native resource', () => {
    expect(create(type, binding('cluster-admin', 'ci')).level).toBe('critical');
    expect(create(type, binding('view', 'system:unauthenticated')).level).toBe('critical');
    expect(create(type, binding('view', 'developers')).level).toBe('medium');
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    expect(create(type, manifest('ClusterRole', { rules })).level).toBe('critical');
  });

  test('reports the path in the plan and sets the direction of the original diff', () => {
    const container = (privileged: boolean) => pod({ containers: [{ name: 'a', securityContext: { privileged } }] });
    const { reasons, change } = update(type, container(false), container(true));

    expect(reasons[0]).toMatchObject({
      rule_id: 'R-CMP-PRIV',
      level: 'high',
      path: 'manifest.spec.template.spec.containers[0].securityContext.privileged',
    });
    expect(change.diffs.map(({ direction }) => direction)).toEqual(['weakening']);
    expect(update(type, container(true), container(false)).level).toBe('low');
  });

  test('is low with a new image and high when it is scaled to zero', () => {
    const image = (name: string) => pod({ containers: [{ name: 'a', image: name }] });
    expect(update(type, image('a:1'), image('a:2')).level).toBe('low');
    const scaled = (replicas: number) => manifest('Deployment', { spec: { replicas } });
    expect(update(type, scaled(3), scaled(0)).level).toBe('high');
  });

  test('without a valid manifest is rated as an ordinary resource', () => {
    expect(remove(type, { manifest: 'x' }).level).toBe('medium');
    expect(remove(type, {}).level).toBe('medium');
  });
});

describe('a YAML manifest', () => {
  const type = 'kubectl_manifest';
  const body = (...lines: string[]) => ({ yaml_body: lines.join('\n') });

  test('is rated by its kind and permissions', () => {
    expect(remove(type, body('kind: Namespace', 'metadata:', '  name: prod')).level).toBe('critical');
    expect(remove(type, { kind: 'StatefulSet', yaml_body: null }).level).toBe('critical');
    const { level, reasons } = create(
      type,
      body(
        'kind: ClusterRoleBinding',
        'roleRef:',
        '  kind: ClusterRole',
        '  name: cluster-admin',
        'subjects:',
        '- kind: ServiceAccount',
        '  name: ci',
      ),
    );
    expect([level, reasons[0]!.path]).toEqual(['critical', 'yaml_body']);
  });

  test('has no values in messages when it is sensitive', () => {
    const after = body('kind: Service', 'spec:', '  type: LoadBalancer', '  ports: [{port: 5432}]');
    const change = makeChange(type, 'create', [null, after]);
    change.after_sensitive = { yaml_body: true };
    const { level, reasons } = judgeAlone(change);
    expect(level).toBe('high');
    expect(JSON.stringify(reasons)).not.toContain('5432');
  });
});

describe('a resource of the Azure API', () => {
  const type = 'azapi_resource';
  const resource = (name: string, properties: JsonObject = {}) => ({
    type: `${name}@2023-01-01`,
    body: { properties },
  });
  const store = 'Microsoft.Storage/storageAccounts';

  test.each([
    [store, 'critical'],
    ['Microsoft.Sql/servers/databases', 'critical'],
    ['Microsoft.KeyVault/vaults', 'critical'],
    ['Microsoft.Insights/workbooks', 'medium'],
  ])('%s has the level %s on delete', (name, level) => {
    expect(remove(type, resource(name)).level).toBe(level);
  });

  test.each<[JsonObject, JsonObject]>([
    [{ publicNetworkAccess: 'Disabled' }, { publicNetworkAccess: 'Enabled' }],
    [{ networkAcls: { defaultAction: 'Deny' } }, { networkAcls: { defaultAction: 'Allow' } }],
    [{ allowBlobPublicAccess: false }, { allowBlobPublicAccess: true }],
    [{ minimumTlsVersion: 'TLS1_2' }, { minimumTlsVersion: 'TLS1_0' }],
  ])('that changes from %j to %j is high, also as a JSON string, and does not weaken in reverse', (safe, dangerous) => {
    const text = (properties: JsonObject) => ({ type: `${store}@2023-01-01`, body: JSON.stringify({ properties }) });
    expect(update(type, resource(store, safe), resource(store, dangerous)).level).toBe('high');
    expect(update(type, text(safe), text(dangerous)).level).toBe('high');
    expect(update(type, resource(store, dangerous), resource(store, safe)).weakens_high).toBe(false);
  });

  test('that grants ownership of a subscription or opens a port to the internet is critical', () => {
    const roleDefinitionId = '/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635';
    const owner = resource('Microsoft.Authorization/roleAssignments', { roleDefinitionId, principalId: 'p' });
    const parent_id = '/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590';
    expect(create(type, { ...owner, parent_id }).level).toBe('critical');
    const securityRules = [
      {
        name: 'a',
        properties: {
          access: 'Allow',
          direction: 'Inbound',
          protocol: 'Tcp',
          sourceAddressPrefix: '*',
          destinationPortRange: '22',
        },
      },
    ];
    expect(create(type, resource('Microsoft.Network/networkSecurityGroups', { securityRules })).level).toBe('critical');
  });
});

describe('a resource of the Cloud Control API', () => {
  const everything = JSON.stringify({ Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] });

  test.each([
    ['awscc_dynamodb_table', 'critical'],
    ['awscc_rds_db_instance', 'critical'],
    ['awscc_lambda_function', 'high'],
    ['awscc_ec2_vpc', 'high'],
    ['awscc_cloudwatch_alarm', 'medium'],
  ])('%s has the level %s on delete', (type, level) => {
    expect(remove(type, {}).level).toBe(level);
  });

  test('is rated like the resource of the aws provider', () => {
    expect(create('awscc_iam_managed_policy', { policy_document: everything }).level).toBe('critical');
    expect(create('awscc_iam_role', { policies: [{ policy_document: everything }] }).level).toBe('critical');
    const open = { cidr_ip: '0.0.0.0/0', ip_protocol: 'tcp', from_port: 22, to_port: 22 };
    expect(create('awscc_ec2_security_group', { security_group_ingress: [open] }).level).toBe('critical');
    expect(create('awscc_ec2_security_group_ingress', { ...open, cidr_ip: '10.0.0.0/8' }).level).toBe('low');
    const block = (flag: boolean) => ({ public_access_block_configuration: { block_public_policy: flag } });
    expect(ruleIds(update('awscc_s3_bucket', block(true), block(false)).reasons)).toContain('R-STO-PUBLIC');
    expect(update('awscc_s3_bucket', block(false), block(true)).level).not.toBe('high');
  });

  test('has the level none when only its tags change', () => {
    const tagged = (value: string) => ({ tags: [{ key: 'team', value }] });
    expect(update('awscc_s3_bucket', tagged('a'), tagged('b')).level).toBe('none');
  });
});

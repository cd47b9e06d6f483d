import { describe, expect, test } from '@jest/globals';
import { findMapping, listMappedTypes } from '../../../engine/drift/arguments/mapping.ts';
import { buildArguments } from '../../../engine/drift/compare.ts';
import { findJoinRule } from '../../../engine/drift/type-rules.ts';
import type { JsonObject } from '../../../engine/index.ts';
import { AWS, AZURE, compute, GCP, type Held, listPaths, live, reading } from './compute.ts';
import { listPlaces, makeProperties, type Place, sample, writeAt } from './synthetic.ts';

/** A type with a value at every place that its mapping reads; parts are read as if they were the whole object. */
function makeCase(type: string) {
  const mapping = findMapping(type)!;
  const places = listPlaces(mapping).filter(({ path }) => path !== '');
  const properties = makeProperties(places);
  const attributes = buildArguments(mapping, { properties, is_complete: true }, 'thing-1');
  return { places, properties, attributes };
}

const WHOLE = listMappedTypes().filter((type) => findJoinRule(type)?.part === null);

function findAccount(type: string) {
  if (type.startsWith('google_')) return { ...GCP, external_account_id: 'acme-prod' };
  return type.startsWith('azurerm_') ? AZURE : AWS;
}

/** Compares a resource of this type with properties. */
function compareWith(type: string, attributes: JsonObject, properties: JsonObject) {
  const cloud_type = findJoinRule(type)!.cloud_types[0]!;
  const id = type.startsWith('azurerm_') ? `/subscriptions/${AZURE.external_account_id}/thing-1` : 'thing-1';
  const names = { id, name: id, arn: 'arn:aws:x:::thing-1', self_link: `//x/${id}` };
  const held = { type, attributes: { ...names, ...attributes } };
  const account = findAccount(type);
  const parts = [...account.parts, { region: null, provider_type: cloud_type }];
  const aliases = [id, names.arn];
  return compute({ ...account, parts }, [held], [live(cloud_type, id, { aliases, properties })]);
}

test('the types that teams run most have a mapping: over 60 in all, some in each cloud', () => {
  expect(listMappedTypes().length).toBeGreaterThan(150);
  expect(listMappedTypes().filter((type) => findJoinRule(type) === undefined)).toEqual([]);
});

test.each(WHOLE)('%s: no difference from its own values, and each change of one value is found alone', (type) => {
  const { places, properties, attributes } = makeCase(type);
  // Names that join the resource are not arguments that can change.
  const own = compareWith(type, attributes, structuredClone(properties));
  if (own.matched_count === 0) return;
  expect(own.items).toEqual([]);

  for (const place of places) {
    const edited = structuredClone(properties);
    writeAt(edited, place.path, structuredClone(sample(String(place.names.at(-1)), place.spec)[1]));
    const report = compareWith(type, attributes, edited);
    if (report.matched_count + report.changed_count === 0) continue;
    const changed = new Set(listPaths(report).map((path) => path.split(/[.[]/)[0]));
    expect({ place: place.names, changed: [...changed].sort() }).toEqual({
      place: place.names,
      changed: readers(places, place),
    });
  }
});

/** The arguments that read the same place, or a part of it. */
function readers(places: readonly Place[], { path }: Place): string[] {
  const same = places.filter((one) => one.path === path || one.path.startsWith(`${path}.`));
  return [...new Set(same.map(({ names }) => names[0]!))].sort();
}

/** Values as a provider holds them and as the cloud shows them, which mean the same. */
const SAME: readonly (readonly [title: string, type: string, held: JsonObject, properties: JsonObject])[] = [
  [
    'a policy with other white space, order and a single action as a list',
    'aws_iam_role',
    {
      name: 'thing-1',
      assume_role_policy:
        '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}',
    },
    {
      AssumeRolePolicyDocument: {
        Statement: [{ Action: ['sts:AssumeRole'], Effect: 'Allow', Principal: { Service: ['ec2.amazonaws.com'] } }],
        Version: '2012-10-17',
      },
    },
  ],
  [
    'a description that is empty and one that is not shown',
    'aws_iam_role',
    { name: 'thing-1', description: '', permissions_boundary: '' },
    { RoleName: 'thing-1' },
  ],
  [
    'security groups in another order',
    'aws_instance',
    { vpc_security_group_ids: ['sg-1', 'sg-2'] },
    { SecurityGroupIds: ['sg-2', 'sg-1'] },
  ],
  [
    'a number that the cloud shows as a text',
    'aws_autoscaling_group',
    { name: 'thing-1', min_size: 1 },
    { MinSize: '1' },
  ],
  [
    'a key by ARN and by ID',
    'aws_sqs_queue',
    { kms_master_key_id: 'arn:aws:kms:eu-west-1:1:key/1234' },
    { KmsMasterKeyId: '1234' },
  ],
  [
    'a task definition by ARN and by family',
    'aws_ecs_service',
    { task_definition: 'api:7' },
    { TaskDefinition: 'arn:aws:ecs:eu-west-1:1:task-definition/api:7' },
  ],
  [
    'environment variables whose values are withheld',
    'aws_lambda_function',
    { function_name: 'thing-1', environment: [{ variables: { STAGE: 'prod' } }] },
    { Environment: { Variables: { STAGE: '[redacted]' } } },
  ],
  [
    'a VPC configuration that nobody set',
    'aws_lambda_function',
    { function_name: 'thing-1', vpc_config: [] },
    { VpcConfig: { SecurityGroupIds: [], SubnetIds: [] } },
  ],
  [
    'the default of a setting that the state does not hold',
    'aws_dynamodb_table',
    { name: 'thing-1', billing_mode: 'PROVISIONED', table_class: '' },
    { TableName: 'thing-1', TableClass: 'STANDARD' },
  ],
  [
    'rules of one block that the cloud shows one by one, in another order',
    'aws_security_group',
    {
      ingress: [
        {
          protocol: 'tcp',
          from_port: 443,
          to_port: 443,
          cidr_blocks: ['10.0.0.0/8', '192.168.0.0/16'],
          description: '',
          ipv6_cidr_blocks: [],
          prefix_list_ids: [],
          security_groups: [],
          self: true,
        },
      ],
    },
    {
      SecurityGroupIngress: [
        { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: '192.168.0.0/16' },
        { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, SourceSecurityGroupId: 'thing-1' },
        { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: '10.0.0.0/8' },
      ],
    },
  ],
  [
    'all protocols, which have no ports',
    'aws_security_group',
    {
      egress: [
        {
          protocol: '-1',
          from_port: 0,
          to_port: 0,
          cidr_blocks: ['0.0.0.0/0'],
          ipv6_cidr_blocks: [],
          prefix_list_ids: [],
          security_groups: [],
          self: false,
          description: '',
        },
      ],
    },
    { SecurityGroupEgress: [{ IpProtocol: '-1', FromPort: -1, ToPort: -1, CidrIp: '0.0.0.0/0' }] },
  ],
  [
    'a network by name and by link',
    'google_compute_subnetwork',
    { name: 'thing-1', network: 'https://www.googleapis.com/compute/v1/projects/acme-prod/global/networks/main' },
    { network: 'projects/acme-prod/global/networks/main' },
  ],
  [
    'a machine type by name and by link',
    'google_compute_instance',
    { name: 'thing-1', machine_type: 'e2-small' },
    { machineType: 'https://www.googleapis.com/compute/v1/projects/acme-prod/zones/z/machineTypes/e2-small' },
  ],
  ['a size that is a text', 'google_compute_disk', { name: 'thing-1', size: 20 }, { sizeGb: '20' }],
  [
    'a location in other case',
    'google_storage_bucket',
    { name: 'thing-1', location: 'EUROPE-WEST1' },
    { location: 'europe-west1' },
  ],
  ['a region by its display name', 'azurerm_storage_account', { location: 'westeurope' }, { location: 'West Europe' }],
  [
    'a switch as a word',
    'azurerm_key_vault',
    { public_network_access_enabled: true },
    { properties: { publicNetworkAccess: 'Enabled' } },
  ],
  [
    'the replication of an account inside of its SKU',
    'azurerm_storage_account',
    { account_replication_type: 'GRS', account_tier: 'Standard' },
    { sku: { name: 'Standard_GRS', tier: 'Standard' } },
  ],
  [
    'IDs of Azure in other case',
    'azurerm_linux_web_app',
    { service_plan_id: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Web/serverFarms/p' },
    { properties: { serverFarmId: '/subscriptions/s/resourcegroups/g/providers/microsoft.web/serverfarms/p' } },
  ],
  [
    'rules of a network security group in another order',
    'azurerm_network_security_group',
    {
      security_rule: [
        { name: 'a', access: 'Allow', priority: 100 },
        { name: 'b', access: 'Deny', priority: 200 },
      ],
    },
    {
      properties: {
        securityRules: [
          { name: 'b', properties: { access: 'Deny', priority: 200 } },
          { name: 'a', properties: { access: 'Allow', priority: 100 } },
        ],
      },
    },
  ],
];

test.each(SAME)('no drift: %s', (_title, type, held, properties) => {
  const report = compareWith(type, held, properties);

  expect({ matched: report.matched_count, paths: listPaths(report) }).toEqual({ matched: 1, paths: [] });
});

/** What a console changes. */
const CHANGED: readonly (readonly [type: string, held: JsonObject, properties: JsonObject, paths: string[]])[] = [
  [
    'aws_iam_role',
    { name: 'thing-1', max_session_duration: 3600 },
    { MaxSessionDuration: 43_200 },
    ['max_session_duration'],
  ],
  [
    'aws_iam_role',
    { name: 'thing-1', permissions_boundary: 'arn:aws:iam::1:policy/b' },
    { RoleName: 'thing-1' },
    ['permissions_boundary'],
  ],
  [
    'aws_lambda_function',
    { function_name: 'thing-1', environment: [{ variables: { STAGE: 'prod' } }] },
    { Environment: { Variables: { STAGE: '[redacted]', DEBUG: '[redacted]' } } },
    ['environment[0].variables.DEBUG'],
  ],
  [
    'aws_instance',
    { instance_type: 't3.small', metadata_options: [{ http_tokens: 'required' }] },
    { InstanceType: 't3.small', MetadataOptions: { HttpTokens: 'optional' } },
    ['metadata_options[0].http_tokens'],
  ],
  [
    'aws_cloudwatch_log_group',
    { name: 'thing-1', retention_in_days: 30 },
    { LogGroupName: 'thing-1' },
    ['retention_in_days'],
  ],
  [
    'google_compute_firewall',
    { name: 'thing-1', source_ranges: ['10.0.0.0/8'] },
    { sourceRanges: ['10.0.0.0/8', '0.0.0.0/0'] },
    ['source_ranges[1]'],
  ],
  [
    'azurerm_storage_account',
    { allow_nested_items_to_be_public: false },
    { properties: { allowBlobPublicAccess: true } },
    ['allow_nested_items_to_be_public'],
  ],
];

test.each(CHANGED)('drift of %s %j', (type, held, properties, paths) => {
  expect(listPaths(compareWith(type, held, properties))).toEqual(paths);
});

test('a listing that is not complete says nothing about what it does not show', () => {
  const held = {
    type: 'aws_cloudwatch_log_group',
    attributes: { id: '/app', name: '/app', retention_in_days: 30, kms_key_id: 'k' },
  };
  const found = live('AWS::Logs::LogGroup', '/app', { properties: { LogGroupName: '/app' }, is_complete: false });
  const report = compute(AWS, [held], [found]);

  expect(report).toMatchObject({ matched_count: 1, items: [] });
  expect(report.comparison.uncompared).toMatchObject({ not_shown: 2 });
  expect(report.comparison.resources).toMatchObject([{ names: { not_shown: ['kms_key_id', 'retention_in_days'] } }]);
});

test('attributes that nobody can compare are counted by reason', () => {
  const attributes = {
    id: 'acme',
    bucket: 'acme',
    arn: 'a',
    force_destroy: true,
    policy: 'x',
    acl: 'private',
    tags: { a: 'b' },
  };
  const found = live('AWS::S3::Bucket', 'acme', { properties: { BucketName: 'acme' }, is_complete: false });

  expect(compute(AWS, [{ type: 'aws_s3_bucket', attributes }], [found]).comparison).toMatchObject({
    compared: 1,
    uncompared: { computed: 2, provider_only: 1, unmapped: 2, not_shown: 1 },
  });
});

describe('tags', () => {
  const held = (tags: JsonObject, tags_all: JsonObject): Held => ({
    type: 'aws_sns_topic',
    attributes: { id: 't', arn: 'arn:aws:sns:eu-west-1:210987654321:t', tags, tags_all },
  });
  const found = (tags: Record<string, string>, is_complete = true) =>
    live('AWS::SNS::Topic', 'arn:aws:sns:eu-west-1:210987654321:t', { tags, is_complete, properties: {} });

  test('tags of the provider and of the cloud itself are no drift', () => {
    const resource = held({ app: 'shop' }, { app: 'shop', owner: 'platform' });

    expect(
      compute(AWS, [resource], [found({ app: 'shop', owner: 'platform', 'aws:cloudformation:stack-id': 'x' })]).items,
    ).toEqual([]);
  });

  test('a tag that was added, changed or removed is, also one of the provider', () => {
    const resource = held({ app: 'shop', env: 'prod' }, { app: 'shop', env: 'prod', owner: 'platform' });
    const report = compute(AWS, [resource], [found({ app: 'cart', owner: 'me', extra: '1' })]);

    expect(listPaths(report).sort()).toEqual(['tags.app', 'tags.env', 'tags.extra', 'tags.owner']);
  });

  test('no tags in a listing say nothing', () => {
    expect(compute(AWS, [held({ app: 'shop' }, { app: 'shop' })], [found({}, false)]).items).toEqual([]);
  });

  test('labels of Google Cloud without those that Google sets', () => {
    const attributes = {
      id: 'x',
      name: 't',
      project: 'acme-prod',
      labels: { app: 'shop' },
      effective_labels: { app: 'shop' },
    };
    const topic = live('pubsub.googleapis.com/Topic', '//pubsub.googleapis.com/projects/acme-prod/topics/t', {
      tags: { app: 'shop', 'goog-managed-by': 'x' },
    });

    expect(compute(GCP, [{ type: 'google_pubsub_topic', attributes }], [topic]).items).toEqual([]);
  });
});

describe('what other resources manage', () => {
  const group: Held = {
    type: 'aws_security_group',
    attributes: { id: 'sg-0123456789abcdef0', ingress: [], egress: [] },
  };
  const rule: Held = {
    type: 'aws_security_group_rule',
    attributes: {
      ...{ id: 'sgrule-1', security_group_id: 'sg-0123456789abcdef0', type: 'ingress', protocol: 'tcp' },
      ...{ from_port: 443, to_port: 443, cidr_blocks: ['10.0.0.0/8'], self: false, source_security_group_id: null },
    },
  };
  const shown = (...ranges: string[]) =>
    live('AWS::EC2::SecurityGroup', 'sg-0123456789abcdef0', {
      properties: {
        SecurityGroupIngress: ranges.map((CidrIp) => ({ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp })),
        SecurityGroupEgress: [],
      },
    });

  test('a rule of its own is no drift of its group, whose state was read before the rule was made', () => {
    expect(compute(AWS, [group, rule], [shown('10.0.0.0/8')])).toMatchObject({ matched_count: 2, items: [] });
  });

  test('a rule that somebody added is drift of the group', () => {
    const { items } = compute(AWS, [group, rule], [shown('10.0.0.0/8', '0.0.0.0/0')]);

    expect(items).toMatchObject([{ drift_type: 'changed', resource_address: 'aws_security_group.this' }]);
    expect(JSON.stringify(items[0]?.attributes)).toContain('0.0.0.0/0');
  });

  test('a rule that somebody removed is missing, and no drift of the group', () => {
    const account = reading('AWS::EC2::SecurityGroup');

    expect(compute(account, [group, rule], [shown()]).items).toMatchObject([
      { drift_type: 'missing', resource_address: 'aws_security_group_rule.this' },
    ]);
  });

  test('a policy that somebody attached to a role is drift of the role', () => {
    const role: Held = { type: 'aws_iam_role', attributes: { id: 'ops', name: 'ops', managed_policy_arns: [] } };
    const read = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
    const attached: Held = {
      type: 'aws_iam_role_policy_attachment',
      attributes: { id: 'x', role: 'ops', policy_arn: read },
    };
    const admin = 'arn:aws:iam::aws:policy/AdministratorAccess';
    const found = live('AWS::IAM::Role', 'ops', { properties: { ManagedPolicyArns: [read, admin] } });

    expect(compute(AWS, [role, attached], [found]).items).toMatchObject([
      {
        resource_address: 'aws_iam_role.this',
        risk: { level: 'critical' },
        attributes: [{ path: 'managed_policy_arns[1]' }],
      },
    ]);
  });
});

test('no value that the state holds as secret is in a report', () => {
  const held = {
    type: 'aws_db_instance',
    attributes: { id: 'x', identifier: 'shop', password: '(sensitive)', username: '(sensitive)', port: 5432 },
  };
  const found = live('AWS::RDS::DBInstance', 'shop', { properties: { MasterUsername: 'hunter2', Port: 5433 } });
  const report = compute(AWS, [held], [found]);

  expect(listPaths(report)).toEqual(['port']);
  expect(JSON.stringify(report)).not.toContain('hunter2');
  expect(report.comparison.uncompared).toMatchObject({ sensitive: 1 });
});

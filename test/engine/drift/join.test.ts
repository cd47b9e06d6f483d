import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listJoinTypes } from '../../../engine/drift/index.ts';
import type { JsonObject } from '../../../engine/index.ts';
import { AWS, AZURE, compute, GCP, type Held, live, reading } from './compute.ts';

const ACCOUNT = AWS.external_account_id;
const SUB = `/subscriptions/${AZURE.external_account_id}`;
const GROUP = `${SUB}/resourceGroups/rg-shop/providers`;
const arn = (service: string, rest: string, region = 'eu-west-1') => `arn:aws:${service}:${region}:${ACCOUNT}:${rest}`;

/** The ID of the cloud, and the attributes by which the state names the same object. */
const SAME: readonly (readonly [type: string, attributes: JsonObject, cloud_type: string, cloud_id: string])[] = [
  ['aws_s3_bucket', { id: 'acme', bucket: 'acme' }, 'AWS::S3::Bucket', 'acme'],
  ['aws_security_group', { id: 'sg-0123456789abcdef0' }, 'AWS::EC2::SecurityGroup', 'sg-0123456789abcdef0'],
  ['aws_iam_role', { id: 'deploy', name: 'deploy' }, 'AWS::IAM::Role', 'deploy'],
  ['aws_iam_user', { id: 'ana', name: 'ana' }, 'AWS::IAM::User', 'ana'],
  [
    'aws_iam_policy',
    { id: 'x', arn: `arn:aws:iam::${ACCOUNT}:policy/read` },
    'AWS::IAM::ManagedPolicy',
    `arn:aws:iam::${ACCOUNT}:policy/read`,
  ],
  ['aws_iam_instance_profile', { id: 'web', name: 'web' }, 'AWS::IAM::InstanceProfile', 'web'],
  ['aws_lambda_function', { id: 'resize', function_name: 'resize' }, 'AWS::Lambda::Function', 'resize'],
  ['aws_lambda_event_source_mapping', { id: 'u', uuid: '6f1c-1' }, 'AWS::Lambda::EventSourceMapping', '6f1c-1'],
  // The ID of the provider is the resource ID of RDS since version 5.
  ['aws_db_instance', { id: 'db-ABC', identifier: 'shop' }, 'AWS::RDS::DBInstance', 'shop'],
  [
    'aws_rds_cluster',
    { id: 'aurora', cluster_identifier: 'aurora', ca_certificate_identifier: 'rds-ca' },
    'AWS::RDS::DBCluster',
    'aurora',
  ],
  ['aws_rds_cluster_instance', { id: 'aurora-1', identifier: 'aurora-1' }, 'AWS::RDS::DBInstance', 'aurora-1'],
  ['aws_docdb_cluster', { id: 'docs', cluster_identifier: 'docs' }, 'AWS::DocDB::DBCluster', 'docs'],
  [
    'aws_neptune_cluster_instance',
    { id: 'n1', identifier: 'n1', cluster_identifier: 'graph' },
    'AWS::Neptune::DBInstance',
    'n1',
  ],
  ['aws_dynamodb_table', { id: 'sessions', name: 'sessions' }, 'AWS::DynamoDB::Table', 'sessions'],
  [
    'aws_sqs_queue',
    { id: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/q` },
    'AWS::SQS::Queue',
    `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/q`,
  ],
  ['aws_sns_topic', { id: arn('sns', 't'), arn: arn('sns', 't') }, 'AWS::SNS::Topic', arn('sns', 't')],
  ['aws_instance', { id: 'i-0123456789abcdef0' }, 'AWS::EC2::Instance', 'i-0123456789abcdef0'],
  ['aws_vpc', { id: 'vpc-0123456789abcdef0' }, 'AWS::EC2::VPC', 'vpc-0123456789abcdef0'],
  [
    'aws_eip',
    { id: 'eipalloc-01', allocation_id: 'eipalloc-01', public_ip: '203.0.113.7' },
    'AWS::EC2::EIP',
    '203.0.113.7|eipalloc-01',
  ],
  ['aws_key_pair', { id: 'ana', key_name: 'ana' }, 'AWS::EC2::KeyPair', 'ana'],
  [
    'aws_lb',
    {
      id: arn('elasticloadbalancing', 'loadbalancer/app/web/1'),
      arn: arn('elasticloadbalancing', 'loadbalancer/app/web/1'),
    },
    'AWS::ElasticLoadBalancingV2::LoadBalancer',
    arn('elasticloadbalancing', 'loadbalancer/app/web/1'),
  ],
  [
    'aws_alb',
    { arn: arn('elasticloadbalancing', 'loadbalancer/app/web/1') },
    'AWS::ElasticLoadBalancingV2::LoadBalancer',
    arn('elasticloadbalancing', 'loadbalancer/app/web/1'),
  ],
  [
    'aws_kms_key',
    { id: 'k', key_id: '1234abcd-12ab-34cd-56ef-1234567890ab' },
    'AWS::KMS::Key',
    '1234abcd-12ab-34cd-56ef-1234567890ab',
  ],
  ['aws_kms_alias', { id: 'alias/app', name: 'alias/app' }, 'AWS::KMS::Alias', 'alias/app'],
  ['aws_cloudwatch_log_group', { id: '/app', name: '/app' }, 'AWS::Logs::LogGroup', '/app'],
  ['aws_cloudwatch_metric_alarm', { id: 'errors', alarm_name: 'errors' }, 'AWS::CloudWatch::Alarm', 'errors'],
  [
    'aws_cloudwatch_log_subscription_filter',
    { id: 'x', name: 'f', log_group_name: '/app' },
    'AWS::Logs::SubscriptionFilter',
    'f|/app',
  ],
  ['aws_ecr_repository', { id: 'app', name: 'app' }, 'AWS::ECR::Repository', 'app'],
  ['aws_ecs_cluster', { id: arn('ecs', 'cluster/prod'), name: 'prod' }, 'AWS::ECS::Cluster', 'prod'],
  [
    'aws_ecs_service',
    { id: arn('ecs', 'service/prod/api'), cluster: arn('ecs', 'cluster/prod') },
    'AWS::ECS::Service',
    `${arn('ecs', 'service/prod/api')}|prod`,
  ],
  [
    'aws_eks_node_group',
    {
      id: 'main:workers',
      arn: arn('eks', 'nodegroup/main/workers/1'),
      cluster_name: 'main',
      node_group_name: 'workers',
    },
    'AWS::EKS::Nodegroup',
    'main/workers',
  ],
  [
    'aws_eks_addon',
    { id: 'main:coredns', cluster_name: 'main', addon_name: 'coredns' },
    'AWS::EKS::Addon',
    'main|coredns',
  ],
  [
    'aws_eks_access_entry',
    { id: 'x', principal_arn: `arn:aws:iam::${ACCOUNT}:role/ops`, cluster_name: 'main' },
    'AWS::EKS::AccessEntry',
    `arn:aws:iam::${ACCOUNT}:role/ops|main`,
  ],
  ['aws_cloudfront_distribution', { id: 'E74FTE3EXAMPLE' }, 'AWS::CloudFront::Distribution', 'E74FTE3EXAMPLE'],
  [
    'aws_route53_zone',
    { id: 'Z1D633PJN98FT9', zone_id: 'Z1D633PJN98FT9' },
    'AWS::Route53::HostedZone',
    'Z1D633PJN98FT9',
  ],
  [
    'aws_secretsmanager_secret',
    { id: arn('secretsmanager', 'secret:db-AbCdEf'), arn: arn('secretsmanager', 'secret:db-AbCdEf') },
    'AWS::SecretsManager::Secret',
    arn('secretsmanager', 'secret:db-AbCdEf'),
  ],
  [
    'aws_api_gateway_stage',
    { id: 'ags-1', rest_api_id: 'abc', stage_name: 'prod' },
    'AWS::ApiGateway::Stage',
    'abc|prod',
  ],
  ['aws_apigatewayv2_authorizer', { id: 'auth', api_id: 'api' }, 'AWS::ApiGatewayV2::Authorizer', 'auth|api'],
  ['aws_wafv2_web_acl', { id: 'a1b2', name: 'edge', scope: 'REGIONAL' }, 'AWS::WAFv2::WebACL', 'edge|a1b2|REGIONAL'],
  [
    'aws_appautoscaling_target',
    {
      id: 'x',
      resource_id: 'service/prod/api',
      scalable_dimension: 'ecs:service:DesiredCount',
      service_namespace: 'ecs',
    },
    'AWS::ApplicationAutoScaling::ScalableTarget',
    'service/prod/api|ecs:service:DesiredCount|ecs',
  ],
  [
    'aws_vpc_security_group_ingress_rule',
    { id: 'sgr-0123456789abcdef0', security_group_rule_id: 'sgr-0123456789abcdef0' },
    'AWS::EC2::SecurityGroupIngress',
    'sgr-0123456789abcdef0',
  ],
  [
    'google_compute_instance',
    {
      id: 'projects/acme-prod/zones/europe-west1-b/instances/web',
      name: 'web',
      project: 'acme-prod',
      zone: 'europe-west1-b',
    },
    'compute.googleapis.com/Instance',
    '//compute.googleapis.com/projects/acme-prod/zones/europe-west1-b/instances/web',
  ],
  [
    'google_compute_network',
    {
      id: 'x',
      name: 'main',
      project: 'acme-prod',
      self_link: 'https://www.googleapis.com/compute/v1/projects/acme-prod/global/networks/main',
    },
    'compute.googleapis.com/Network',
    '//compute.googleapis.com/projects/acme-prod/global/networks/main',
  ],
  // The cloud may name the project by its number.
  [
    'google_compute_firewall',
    { id: 'projects/acme-prod/global/firewalls/web', name: 'web', project: 'acme-prod' },
    'compute.googleapis.com/Firewall',
    '//compute.googleapis.com/projects/4711/global/firewalls/web',
  ],
  [
    'google_compute_subnetwork',
    {
      id: 'x',
      name: 'a',
      project: 'acme-prod',
      region: 'https://www.googleapis.com/compute/v1/projects/acme-prod/regions/europe-west1',
    },
    'compute.googleapis.com/Subnetwork',
    '//compute.googleapis.com/projects/acme-prod/regions/europe-west1/subnetworks/a',
  ],
  [
    'google_storage_bucket',
    { id: 'acme-files', name: 'acme-files', project: 'acme-prod' },
    'storage.googleapis.com/Bucket',
    '//storage.googleapis.com/acme-files',
  ],
  [
    'google_sql_database_instance',
    { id: 'shop', name: 'shop', project: 'acme-prod' },
    'sqladmin.googleapis.com/Instance',
    '//cloudsql.googleapis.com/projects/acme-prod/instances/shop',
  ],
  [
    'google_pubsub_topic',
    { id: 'projects/acme-prod/topics/t', name: 't', project: 'acme-prod' },
    'pubsub.googleapis.com/Topic',
    '//pubsub.googleapis.com/projects/acme-prod/topics/t',
  ],
  [
    'google_container_cluster',
    { id: 'x', name: 'main', project: 'acme-prod', location: 'europe-west1-b' },
    'container.googleapis.com/Cluster',
    '//container.googleapis.com/projects/acme-prod/zones/europe-west1-b/clusters/main',
  ],
  [
    'google_container_node_pool',
    {
      id: 'acme-prod/europe-west1/main/pool',
      name: 'pool',
      cluster: 'main',
      location: 'europe-west1',
      project: 'acme-prod',
    },
    'container.googleapis.com/NodePool',
    '//container.googleapis.com/projects/acme-prod/locations/europe-west1/clusters/main/nodePools/pool',
  ],
  [
    'google_service_account',
    {
      id: 'projects/acme-prod/serviceAccounts/app@acme-prod.iam.gserviceaccount.com',
      email: 'app@acme-prod.iam.gserviceaccount.com',
      unique_id: '1099',
      project: 'acme-prod',
    },
    'iam.googleapis.com/ServiceAccount',
    '//iam.googleapis.com/projects/acme-prod/serviceAccounts/1099',
  ],
  [
    'google_bigquery_dataset',
    { id: 'x', dataset_id: 'sales', project: 'acme-prod' },
    'bigquery.googleapis.com/Dataset',
    '//bigquery.googleapis.com/projects/acme-prod/datasets/sales',
  ],
  [
    'google_cloud_run_service',
    {
      id: 'locations/europe-west1/namespaces/acme-prod/services/api',
      name: 'api',
      location: 'europe-west1',
      project: 'acme-prod',
    },
    'run.googleapis.com/Service',
    '//run.googleapis.com/projects/acme-prod/locations/europe-west1/services/api',
  ],
  [
    'google_kms_crypto_key',
    {
      id: 'projects/acme-prod/locations/eu/keyRings/r/cryptoKeys/k',
      name: 'k',
      key_ring: 'projects/acme-prod/locations/eu/keyRings/r',
    },
    'cloudkms.googleapis.com/CryptoKey',
    '//cloudkms.googleapis.com/projects/acme-prod/locations/eu/keyRings/r/cryptoKeys/k',
  ],
  [
    'google_spanner_database',
    { id: 'inst/db', name: 'db', instance: 'inst', project: 'acme-prod' },
    'spanner.googleapis.com/Database',
    '//spanner.googleapis.com/projects/acme-prod/instances/inst/databases/db',
  ],
  [
    'azurerm_storage_account',
    { id: `${GROUP}/Microsoft.Storage/storageAccounts/acme` },
    'microsoft.storage/storageaccounts',
    `${GROUP}/microsoft.storage/storageaccounts/ACME`.toLowerCase(),
  ],
  [
    'azurerm_resource_group',
    { id: `${SUB}/resourceGroups/rg-shop` },
    'microsoft.resources/subscriptions/resourcegroups',
    `${SUB}/resourcegroups/RG-Shop`,
  ],
  [
    'azurerm_linux_web_app',
    { id: `${GROUP}/Microsoft.Web/sites/app` },
    'microsoft.web/sites',
    `${GROUP}/Microsoft.Web/sites/app`.toLowerCase(),
  ],
  [
    'azurerm_windows_function_app',
    { id: `${GROUP}/Microsoft.Web/sites/fn` },
    'microsoft.web/sites',
    `${GROUP}/Microsoft.Web/sites/fn`.toLowerCase(),
  ],
  [
    'azurerm_mssql_database',
    { id: `${GROUP}/Microsoft.Sql/servers/s/databases/d` },
    'microsoft.sql/servers/databases',
    `${GROUP}/Microsoft.Sql/servers/s/databases/d`.toLowerCase(),
  ],
  [
    'azurerm_kubernetes_cluster',
    { id: `${GROUP}/Microsoft.ContainerService/managedClusters/k` },
    'microsoft.containerservice/managedclusters',
    `${GROUP}/Microsoft.ContainerService/managedClusters/k`.toLowerCase(),
  ],
];

function findAccount(type: string) {
  if (type.startsWith('google_')) return GCP;
  return type.startsWith('azurerm_') ? AZURE : AWS;
}

test.each(SAME)('%s %j is %s %s', (type, attributes, cloud_type, cloud_id) => {
  const account = findAccount(type);
  const report = compute(
    { ...account, parts: [...account.parts, { region: null, provider_type: cloud_type }] },
    [{ type, attributes }],
    [live(cloud_type, cloud_id, { region: type.startsWith('aws_') ? 'eu-west-1' : null })],
  );

  expect({ matched: report.matched_count, items: report.items.map(({ key }) => key) }).toEqual({
    matched: 1,
    items: [],
  });
});

test('at least 200 types of each of two clouds and 60 of the third can be joined', () => {
  const count = (prefix: string) => listJoinTypes().filter((type) => type.startsWith(prefix)).length;

  expect(count('aws_')).toBeGreaterThan(200);
  expect(count('azurerm_')).toBeGreaterThan(200);
  expect(count('google_')).toBeGreaterThan(60);
});

const bucket = (name: string, more: JsonObject = {}): Held => ({
  type: 'aws_s3_bucket',
  name,
  attributes: { id: name, bucket: name, ...more },
});
const BUCKETS = reading('AWS::S3::Bucket');

describe('a resource of a state ends as', () => {
  test('missing, if its type was read and it was not there', () => {
    const report = compute(BUCKETS, [bucket('gone')], []);

    expect(report).toMatchObject({ missing_count: 1, total_iac: 1, total_live: 0, coverage_pct: 100 });
    expect(report.items[0]).toMatchObject({ drift_type: 'missing', resource_address: 'aws_s3_bucket.gone' });
  });

  test('not checked, if its type was not read, was denied, or has no rule', () => {
    const held = [bucket('a'), { type: 'aws_made_up', attributes: { id: 'x' } }];
    const denied = { region: null, provider_type: 'AWS::S3::Bucket', code: 'access_denied', message: 'Not allowed.' };

    for (const account of [AWS, { ...BUCKETS, unread: [denied] }]) {
      const report = compute(account, held, []);
      expect(report).toMatchObject({
        missing_count: 0,
        not_checked_count: 2,
        total_iac: 0,
        drift_status: 'incomplete',
      });
      expect(report.not_checked.map(({ code }) => code)).toEqual(['unknown_type', 'unread']);
    }
  });

  test('not checked, if its region was not read', () => {
    const account = { ...AWS, parts: [{ region: 'eu-west-1', provider_type: 'AWS::RDS::DBInstance' }] };
    const held = {
      type: 'aws_db_instance',
      attributes: { id: 'x', identifier: 'shop', arn: arn('rds', 'db:shop', 'us-east-1') },
    };

    expect(compute(account, [held], []).not_checked).toMatchObject([
      { code: 'unread', reason: 'No complete listing of AWS::RDS::DBInstance in us-east-1 was read.' },
    ]);
  });

  test('not checked, if nobody compared how the cloud names its type', () => {
    const account = reading('AWS::FIS::ExperimentTemplate');
    const held = { type: 'aws_fis_experiment_template', attributes: { id: 'EXT1' } };
    const report = compute(account, [held], [live('AWS::FIS::ExperimentTemplate', 'other')]);

    expect(report).toMatchObject({ missing_count: 0, extra_count: 0, not_checked_count: 1 });
    expect(report.apart).toMatchObject([{ code: 'unproven_rule', count: 1 }]);
  });

  test('not checked, if Resource Graph does not list its type', () => {
    const id = `${GROUP}/Microsoft.Storage/storageAccounts/a/queueServices/default/queues/q`;

    expect(compute(AZURE, [{ type: 'azurerm_storage_queue', attributes: { id } }], []).missing_count).toBe(0);
  });

  test('outside, if it only reads, or belongs to another provider or account', () => {
    const held: Held[] = [
      { ...bucket('a'), mode: 'data' },
      { type: 'random_id', attributes: { id: 'x' } },
      bucket('b', { arn: 'arn:aws:iam::999999999999:role/x' }),
      { type: 'google_storage_bucket', attributes: { id: 'x', project: 'acme-prod' } },
    ];

    expect(compute(BUCKETS, held, [])).toMatchObject({ outside_count: 4, total_iac: 0, drift_status: 'in_sync' });
    const other = { type: 'google_pubsub_topic', attributes: { id: 'x', name: 't', project: 'acme-test' } };
    expect(compute(GCP, [other], []).outside_count).toBe(1);
  });

  test('outside, if it is a deposed object that is gone; if not, it is no undeclared resource', () => {
    const old: Held = { type: 'aws_instance', attributes: { id: 'i-0123456789abcdef0' }, deposed: 'abcd1234' };
    const account = reading('AWS::EC2::Instance');

    expect(compute(account, [old], [])).toMatchObject({ outside_count: 1, missing_count: 0 });
    expect(compute(account, [old], [live('AWS::EC2::Instance', 'i-0123456789abcdef0')]).extra_count).toBe(0);
  });
});

describe('regions', () => {
  const DB = 'AWS::RDS::DBInstance';
  const both = ['eu-west-1', 'us-east-1'].map((region) => live(DB, 'shop', { region }));

  test('the same ID in two regions is two resources', () => {
    const held = ['eu-west-1', 'us-east-1'].map((region) => ({
      type: 'aws_db_instance',
      name: region.replaceAll('-', '_'),
      attributes: { id: region, identifier: 'shop', arn: arn('rds', 'db:shop', region) },
    }));

    expect(compute(reading(DB), held, both)).toMatchObject({ matched_count: 2, items: [] });
    const [first] = held;
    expect(compute(reading(DB), [first!], both).items).toMatchObject([{ drift_type: 'new', region: 'us-east-1' }]);
  });

  test('a name without a region that two regions have is not checked, and neither object is undeclared', () => {
    const report = compute(
      reading(DB),
      [{ type: 'aws_db_instance', attributes: { id: 'x', identifier: 'shop' } }],
      both,
    );

    expect(report).toMatchObject({ items: [], not_checked_count: 1, apart_count: 2 });
    expect(report.not_checked[0]?.code).toBe('ambiguous');
  });
});

describe('several resources over one object', () => {
  const found = live('AWS::S3::Bucket', 'acme', {
    properties: { BucketName: 'acme', VersioningConfiguration: { Status: 'Enabled' } },
  });
  const part = (type: string, attributes: JsonObject): Held => ({
    type,
    attributes: { id: 'acme', bucket: 'acme', ...attributes },
  });

  test('each resource that describes a part counts for itself', () => {
    const versioning = part('aws_s3_bucket_versioning', { versioning_configuration: [{ status: 'Enabled' }] });
    const report = compute(BUCKETS, [bucket('acme'), versioning], [found]);

    expect(report).toMatchObject({
      matched_count: 2,
      total_iac: 2,
      total_live: 2,
      coverage_pct: 100,
      claimed_twice: [],
    });
  });

  test('a part that a complete object lacks is missing; a listing that shows a part says nothing', () => {
    const block = part('aws_s3_bucket_public_access_block', { block_public_acls: true });

    expect(compute(BUCKETS, [bucket('acme'), block], [found]).items).toMatchObject([
      { drift_type: 'missing', resource_type: 'aws_s3_bucket_public_access_block' },
    ]);
    const listed = { ...found, is_complete: false };
    expect(compute(BUCKETS, [bucket('acme'), block], [listed]).not_checked).toMatchObject([{ code: 'not_shown' }]);
  });

  test('an attachment that the role no longer has is missing', () => {
    const account = reading('AWS::IAM::Role');
    const role = { type: 'aws_iam_role', attributes: { id: 'ops', name: 'ops', managed_policy_arns: [] } };
    const read = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
    const attached: Held = {
      type: 'aws_iam_role_policy_attachment',
      attributes: { id: 'x', role: 'ops', policy_arn: read },
    };
    const withPolicies = (ManagedPolicyArns: string[]) =>
      live('AWS::IAM::Role', 'ops', { properties: { ManagedPolicyArns } });

    expect(compute(account, [role, attached], [withPolicies([read])])).toMatchObject({ matched_count: 2, items: [] });
    expect(compute(account, [role, attached], [withPolicies([])]).items).toMatchObject([
      { drift_type: 'missing', resource_type: 'aws_iam_role_policy_attachment' },
    ]);
  });

  test('one resource over two objects counts once', () => {
    const held = { type: 'aws_dynamodb_table', attributes: { id: 't', name: 't' } };
    const types = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];
    const report = compute(
      reading(...types),
      [held],
      types.map((type) => live(type, 't', { region: 'eu-west-1' })),
    );

    expect(report).toMatchObject({ matched_count: 1, extra_count: 0, total_live: 1 });
  });

  test('an object that two states claim is named with both', () => {
    const held = ['a.tfstate', 'b.tfstate'].map((source) => ({ ...bucket('acme'), source }));

    expect(compute(BUCKETS, held, [found]).claimed_twice).toEqual([
      { provider_resource_id: 'acme', addresses: ['aws_s3_bucket.acme (a.tfstate)', 'aws_s3_bucket.acme (b.tfstate)'] },
    ]);
  });
});

describe('properties', () => {
  const name = fc.integer({ min: 0, max: 12 }).map((n) => `b${n}`);
  const inputs = fc.record({
    held: fc.uniqueArray(name),
    found: fc.uniqueArray(name),
    data: fc.uniqueArray(name),
    unknown: fc.nat(3),
  });
  const build = ({ held, data, unknown }: { held: string[]; data: string[]; unknown: number }): Held[] => [
    ...held.map((one) => bucket(one)),
    ...data.map((one): Held => ({ ...bucket(`data-${one}`), mode: 'data' })),
    ...Array.from(
      { length: unknown },
      (_, i): Held => ({ type: 'aws_made_up', name: `u${i}`, attributes: { id: `${i}` } }),
    ),
  ];

  test('every resource of a state has exactly one outcome, and the counts add up', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const held = build(input);
        const r = compute(
          BUCKETS,
          held,
          input.found.map((one) => live('AWS::S3::Bucket', one)),
        );
        expect(r.matched_count + r.changed_count + r.missing_count + r.not_checked_count + r.outside_count).toBe(
          held.length,
        );
        expect(r.total_live).toBe(r.matched_count + r.changed_count + r.extra_count);
        expect(r.total_iac).toBe(r.matched_count + r.changed_count + r.missing_count);
        expect(r.items).toHaveLength(r.changed_count + r.missing_count + r.extra_count);
        expect(r.missing_count).toBe(input.held.filter((one) => !input.found.includes(one)).length);
        expect(r.extra_count).toBe(input.found.filter((one) => !input.held.includes(one)).length);
      }),
    );
  });

  test('the order of states and of live resources does not matter', () => {
    fc.assert(
      fc.property(inputs, fc.infiniteStream(fc.nat()), (input, dice) => {
        const held = build(input);
        const found = input.found.map((one) => live('AWS::S3::Bucket', one));
        const shuffle = <T>(items: T[]): T[] =>
          items
            .map((item) => [dice.next().value, item] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, item]) => item);

        expect(compute(BUCKETS, shuffle(held), shuffle([...found, ...found]))).toEqual(compute(BUCKETS, held, found));
      }),
    );
  });

  test('a live resource that a listing shows again counts once, whatever other resources share its names', () => {
    const types = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];
    const table = fc.record({
      type: fc.constantFrom(...types),
      id: fc.constantFrom('a', 'b', 'c'),
      region: fc.constantFrom('eu-west-1', 'us-east-1', null),
      aliases: fc.subarray(['a', 'b', 'c']),
    });
    const by = ({ type, id, region }: { type: string; id: string; region: string | null }) => `${type} ${id} ${region}`;
    const shown = fc.uniqueArray(table, { selector: by, maxLength: 6 });
    const order = fc.array(fc.nat(), { maxLength: 20 });

    fc.assert(
      fc.property(fc.subarray(['a', 'b', 'c']), shown, order, (held, listed, again) => {
        const states = held.map((name): Held => ({ type: 'aws_dynamodb_table', name, attributes: { id: name, name } }));
        const found = listed.map(({ type, id, region, aliases }) => live(type, id, { region, aliases }));
        const repeated = again.flatMap((n) => found[n % found.length] ?? []);

        expect(compute(reading(...types), states, [...found, ...repeated])).toEqual(
          compute(reading(...types), states, found),
        );
      }),
    );
  });
});

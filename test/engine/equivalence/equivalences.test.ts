import { describe, expect, test } from '@jest/globals';
import { normalizeChange } from '../../../engine/changes/normalize.ts';
import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';

interface Case {
  type: string;
  /** Unchanged attributes. */
  beside?: JsonObject;
  path: string;
  before: JsonValue;
  same: JsonValue;
  /** Values that look similar but are not equivalent. */
  others: JsonValue[];
}

const PROJECT = { project: 'shop-prod' };
const COMPUTE = 'https://www.googleapis.com/compute/v1';
const ARN = { arn: 'arn:aws:elasticfilesystem:eu-west-1:111122223333:file-system/fs-1' };
const LOG_GROUP = 'arn:aws:logs:eu-west-1:111122223333:log-group';
const KEY = '0a1b2c3d-0000-4000-8000-000000000001';
const SUBSCRIPTION = '/subscriptions/00000000-0000-0000-0000-000000000001';

const rule = (port: number, cidr_blocks: string[], more: JsonObject = {}) => ({
  cidr_blocks,
  description: '',
  from_port: port,
  ipv6_cidr_blocks: [],
  protocol: 'tcp',
  self: false,
  to_port: port,
  ...more,
});
const nsgRule = (name: string, priority: number, access = 'Allow') => ({
  name,
  priority,
  access,
  direction: 'Inbound',
});

const wafRule = (name: string, priority: number, match_values: string[], action = 'Block') => ({
  name,
  priority,
  action,
  match_condition: [{ match_variable: 'RemoteAddr', match_values }],
});
const tidyRule = (name: string, prefix_match: string[], days = 60) => ({
  name,
  enabled: true,
  filters: [{ blob_types: ['blockBlob'], prefix_match }],
  actions: [{ base_blob: [{ delete_after_days_since_modification_greater_than: days }] }],
});
const scaling = (cooldown: string, maximum: number, values: string[]) => ({
  name: 'default',
  capacity: [{ default: 4, maximum, minimum: 4 }],
  rule: [{ metric_trigger: [{ dimensions: [{ name: 'x', values }] }], scale_action: [{ cooldown }] }],
});

const CASES: Case[] = [
  {
    type: 'google_bigquery_table',
    path: 'schema',
    before: '[{"name":"a","type":"STRING","mode":"NULLABLE"},{"name":"b","type":"JSON","description":null}]',
    same: '[{"type":"STRING","name":"a"},{"name":"b","type":"JSON"}]',
    others: [
      '[{"type":"STRING","name":"a","mode":"REQUIRED"},{"name":"b","type":"JSON"}]',
      '[{"name":"b","type":"JSON"},{"type":"STRING","name":"a"}]',
    ],
  },
  {
    type: 'aws_flow_log',
    path: 'log_destination',
    before: `${LOG_GROUP}:flow`,
    same: `${LOG_GROUP}:flow:*`,
    others: [`${LOG_GROUP}:flow-2:*`, `${LOG_GROUP}:f*`],
  },
  {
    type: 'aws_cloudtrail',
    path: 'cloud_watch_logs_group_arn',
    before: `${LOG_GROUP}:trail:*`,
    same: `${LOG_GROUP}:trail`,
    others: [`${LOG_GROUP}:trails`],
  },
  {
    type: 'aws_route53_query_log',
    path: 'cloudwatch_log_group_arn',
    before: `${LOG_GROUP}:dns`,
    same: `${LOG_GROUP}:dns:*`,
    others: [`${LOG_GROUP.replace('111122223333', '444455556666')}:dns:*`],
  },
  {
    type: 'aws_vpclattice_access_log_subscription',
    path: 'destination_arn',
    before: `${LOG_GROUP}:lattice`,
    same: `${LOG_GROUP}:lattice:*`,
    others: ['arn:aws:s3:::lattice'],
  },
  {
    type: 'aws_route53_resolver_query_log_config',
    path: 'destination_arn',
    before: `${LOG_GROUP}:resolver`,
    same: `${LOG_GROUP}:resolver:*`,
    others: [`${LOG_GROUP.replace('eu-west-1', 'eu-west-2')}:resolver:*`],
  },
  {
    type: 'aws_rds_cluster',
    path: 'preferred_maintenance_window',
    before: 'Sun:05:00-Sun:06:00',
    same: 'sun:5:00-sun:06:00',
    others: ['mon:05:00-mon:06:00', 'sun:05:00-sun:06:30', 'sun:15:00-sun:16:00'],
  },
  {
    type: 'aws_cloudwatch_event_rule',
    path: 'event_pattern',
    before: '{"source":["a","b"],"detail":{"n":[{"numeric":[">",0,"<",5]}]}}',
    same: '{"detail":{"n":[{"numeric":[">",0,"<",5]}]},"source":["b","a"]}',
    others: [
      '{"detail":{"n":[{"numeric":["<",0,">",5]}]},"source":["b","a"]}',
      '{"detail":{"n":[{"numeric":[">",0,"<",5]}]},"source":["b"]}',
    ],
  },
  {
    type: 'google_project_iam_binding',
    path: 'members',
    before: ['user:Ann@example.com', 'principal://iam.googleapis.com/x/subject/A'],
    same: ['principal://iam.googleapis.com/x/subject/A', 'user:ann@example.com'],
    others: [
      ['principal://iam.googleapis.com/x/subject/a', 'user:ann@example.com'],
      ['principal://iam.googleapis.com/x/subject/A', 'user:anne@example.com'],
    ],
  },
  { type: 'google_cloud_scheduler_job', path: 'time_zone', before: 'UTC', same: 'Etc/UTC', others: ['Europe/London'] },
  {
    type: 'google_cloud_scheduler_job',
    path: 'schedule',
    before: '*/5 * * * *',
    same: '*/5  * * * *',
    others: ['*/15 * * * *', '* /5 * * * *'],
  },
  {
    type: 'azurerm_role_assignment',
    path: 'scope',
    before: '/subscriptions/AB01',
    same: '/subscriptions/ab01',
    others: ['/subscriptions/ab02', '/subscriptions/ab01/resourceGroups/a'],
  },
  {
    type: 'azurerm_role_assignment',
    path: 'principal_id',
    before: 'ABCDEF00-0000-4000-8000-000000000001',
    same: 'abcdef00-0000-4000-8000-000000000001',
    others: ['abcdef00-0000-4000-8000-000000000002'],
  },
  { type: 'azurerm_storage_account', path: 'account_tier', before: 'Standard', same: 'standard', others: ['Premium'] },
  { type: 'helm_release', path: 'values', before: ['a: 1\n'], same: ['a: 1'], others: [['a: 2'], ['a: |\n 1']] },
  {
    type: 'cloudflare_record',
    beside: { type: 'CNAME' },
    path: 'value',
    before: 'a.example.com.',
    same: 'a.example.com',
    others: ['b.example.com'],
  },
  { type: 'aws_iam_role', path: 'path', before: '/', same: null, others: ['/ops/'] },
  {
    type: 'google_compute_instance',
    path: 'metadata',
    before: { a: 'true' },
    same: { a: true },
    others: [{ a: 'TRUE' }],
  },
  {
    type: 'aws_route53_record',
    beside: { type: 'CNAME' },
    path: 'records',
    before: ['a.example.com.'],
    same: ['A.example.com'],
    others: [['b.example.com'], ['a.example.com..']],
  },
  {
    type: 'google_dns_record_set',
    beside: { type: 'MX' },
    path: 'rrdatas',
    before: ['10 a.example.com.', '20 b.example.com.'],
    same: ['20 b.example.com', '10 a.example.com.'],
    others: [['10 b.example.com.', '20 a.example.com.']],
  },
  {
    type: 'google_cloud_run_v2_service',
    path: 'limits',
    before: { cpu: '1000m', memory: '1Gi' },
    same: { cpu: '1', memory: '1024Mi' },
    others: [
      { cpu: '1', memory: '1G' },
      { cpu: '100m', memory: '1Gi' },
    ],
  },
  {
    type: 'google_storage_bucket',
    path: 'location',
    before: 'EU',
    same: 'eu',
    others: ['EUR4'],
  },
  {
    type: 'google_monitoring_alert_policy',
    path: 'filter',
    before: 'a = "x  y"  AND\n b = 1',
    same: 'a = "x  y" AND b = 1',
    others: ['a = "x y" AND b = 1', 'a = "x  y" ANDb = 1', 'a = "x  y" AND b = 1 # c'],
  },
  {
    type: 'azurerm_key_vault_access_policy',
    path: 'secret_permissions',
    before: ['Get', 'List'],
    same: ['list', 'get'],
    others: [['list', 'set'], ['get']],
  },
  { type: 'kubernetes_deployment', path: 'replicas', before: '3', same: 3, others: [2, '03'] },
  { type: 'aws_security_group_rule', path: 'prefix_list_ids', before: null, same: [], others: [['pl-1']] },
  { type: 'aws_db_instance', path: 'timeouts', before: null, same: { create: null }, others: [{ create: '5m' }] },
  {
    type: 'aws_security_group',
    path: 'ingress',
    before: [rule(22, ['10.0.0.0/8', '192.168.0.0/16']), rule(443, ['0.0.0.0/0'])],
    same: [
      rule(443, ['0.0.0.0/0'], { description: null }),
      rule(22, ['192.168.0.0/16', '10.0.0.0/8'], { protocol: '6' }),
    ],
    others: [
      [rule(443, ['10.0.0.0/8', '192.168.0.0/16']), rule(22, ['0.0.0.0/0'])],
      [rule(443, ['0.0.0.0/0']), rule(22, ['192.168.0.0/16', '10.0.0.0/7'])],
      [rule(443, ['0.0.0.0/0']), rule(22, ['192.168.0.0/16'])],
      [rule(443, ['0.0.0.0/0']), rule(443, ['0.0.0.0/0'])],
    ],
  },
  {
    type: 'aws_lb',
    path: 'subnets',
    before: ['a', 'b', 'c'],
    same: ['c', 'a', 'b'],
    others: [
      ['c', 'a', 'd'],
      ['c', 'a', 'a'],
    ],
  },
  { type: 'aws_lb', path: 'security_groups', before: ['a', 'b'], same: ['b', 'a'], others: [['b', 'c'], ['b']] },
  {
    type: 'aws_autoscaling_group',
    path: 'vpc_zone_identifier',
    before: ['a', 'b'],
    same: ['b', 'a'],
    others: [['b', 'c']],
  },
  {
    type: 'aws_db_parameter_group',
    path: 'parameter',
    before: [
      { name: 'a', value: '1' },
      { name: 'b', value: '0' },
    ],
    same: [
      { name: 'b', value: '0' },
      { name: 'a', value: '1' },
    ],
    others: [
      [
        { name: 'b', value: '1' },
        { name: 'a', value: '0' },
      ],
    ],
  },
  {
    type: 'aws_security_group_rule',
    path: 'cidr_blocks',
    before: ['10.1.2.3/16'],
    same: ['10.1.0.0/16'],
    others: [['10.1.0.0/15'], ['10.2.0.0/16']],
  },
  {
    type: 'aws_security_group_rule',
    path: 'ipv6_cidr_blocks',
    before: ['2001:DB8::/32'],
    same: ['2001:db8:0::/32'],
    others: [['2001:db8::/33']],
  },
  {
    type: 'aws_efs_file_system',
    beside: ARN,
    path: 'kms_key_id',
    before: KEY,
    same: `arn:aws:kms:eu-west-1:111122223333:key/${KEY}`,
    others: [`arn:aws:kms:eu-west-1:111122223333:key/${KEY.replace(/1$/, '2')}`, 'alias/shop'],
  },
  {
    type: 'aws_glue_job',
    beside: ARN,
    path: 'role_arn',
    before: 'etl',
    same: 'arn:aws:iam::111122223333:role/jobs/etl',
    others: [
      'arn:aws:iam::444455556666:role/etl',
      'arn:aws:iam::111122223333:role/etl-admin',
      'arn:aws:iam::111122223333:user/etl/x',
    ],
  },
  {
    type: 'aws_route53_record',
    path: 'records',
    before: ['192.0.2.1', '192.0.2.2'],
    same: ['192.0.2.2', '192.0.2.1'],
    others: [['192.0.2.2', '192.0.2.3']],
  },
  {
    type: 'aws_cloudwatch_event_rule',
    path: 'schedule_expression',
    before: 'rate(1 hour)',
    same: 'rate(60 minutes)',
    others: ['rate(1 day)', 'cron(0 * * * ? *)'],
  },
  { type: 'aws_s3_bucket', path: 'force_destroy', before: null, same: false, others: [true] },
  {
    type: 'google_compute_subnetwork',
    beside: { ...PROJECT, region: 'europe-west1' },
    path: 'network',
    before: `${COMPUTE}/projects/shop-prod/global/networks/main`,
    same: 'main',
    others: ['main2', 'projects/shop-dev/global/networks/main', 'projects/123456789/global/networks/main'],
  },
  {
    type: 'google_compute_subnetwork',
    beside: PROJECT,
    path: 'network',
    before: 'projects/shop-prod/global/networks/main',
    same: 'https://compute.googleapis.com/compute/beta/projects/shop-prod/global/networks/main',
    others: [
      `${COMPUTE}/projects/shop-prod/global/networks/Main`,
      `${COMPUTE}/projects/shop-prod/global/networks/main/`,
    ],
  },
  {
    type: 'google_compute_instance',
    beside: { ...PROJECT, zone: 'europe-west1-b' },
    path: 'machine_type',
    before: 'e2-medium',
    same: `${COMPUTE}/projects/shop-prod/zones/europe-west1-b/machineTypes/e2-medium`,
    others: [`${COMPUTE}/projects/shop-prod/zones/europe-west1-b/machineTypes/e2-small`],
  },
  {
    type: 'google_compute_forwarding_rule',
    beside: { ...PROJECT, region: 'europe-west1' },
    path: 'subnetwork',
    before: 'regions/europe-west1/subnetworks/a',
    same: `${COMPUTE}/projects/shop-prod/regions/europe-west1/subnetworks/a`,
    others: [`${COMPUTE}/projects/shop-prod/regions/europe-west4/subnetworks/a`],
  },
  {
    type: 'google_compute_forwarding_rule',
    beside: { ...PROJECT, region: 'europe-west1' },
    path: 'subnetwork',
    before: 'a',
    same: `${COMPUTE}/projects/shop-prod/regions/europe-west1/subnetworks/a`,
    others: [`${COMPUTE}/projects/shop-prod/regions/europe-west4/subnetworks/a`],
  },
  {
    type: 'google_compute_address',
    beside: PROJECT,
    path: 'region',
    before: 'europe-west1',
    same: `${COMPUTE}/projects/shop-prod/regions/europe-west1`,
    others: [`${COMPUTE}/projects/shop-prod/regions/europe-west4`],
  },
  {
    type: 'google_compute_firewall',
    path: 'allow',
    before: [
      { protocol: 'tcp', ports: ['80', '443'] },
      { protocol: 'udp', ports: [] },
    ],
    same: [
      { protocol: 'UDP', ports: null },
      { protocol: 'tcp', ports: ['443', '80-80'] },
    ],
    others: [
      [
        { protocol: 'udp', ports: ['80', '443'] },
        { protocol: 'tcp', ports: [] },
      ],
    ],
  },
  {
    type: 'google_compute_firewall',
    path: 'source_ranges',
    before: ['10.0.0.0/8', '192.0.2.1'],
    same: ['192.0.2.1/32', '10.0.0.0/8'],
    others: [['192.0.2.1/31', '10.0.0.0/8']],
  },
  {
    type: 'azurerm_cdn_frontdoor_firewall_policy',
    path: 'custom_rule',
    before: [wafRule('geo', 10, ['CU', 'KP']), wafRule('ip', 20, ['203.0.113.9'])],
    same: [wafRule('ip', 20, ['203.0.113.9']), wafRule('geo', 10, ['KP', 'CU'])],
    others: [
      [wafRule('geo', 20, ['CU', 'KP']), wafRule('ip', 10, ['203.0.113.9'])],
      [wafRule('geo', 10, ['CU']), wafRule('ip', 20, ['203.0.113.9'])],
      [wafRule('geo', 10, ['CU', 'KP'], 'Log'), wafRule('ip', 20, ['203.0.113.9'])],
    ],
  },
  {
    type: 'azurerm_storage_management_policy',
    path: 'rule',
    before: [tidyRule('a', ['tmp/', 'out/']), tidyRule('b', [])],
    same: [tidyRule('b', []), tidyRule('a', ['out/', 'tmp/'])],
    others: [
      [tidyRule('a', []), tidyRule('b', ['tmp/', 'out/'])],
      [tidyRule('a', ['tmp/', 'out/'], 30), tidyRule('b', [])],
      [tidyRule('a', ['tmp/', 'out']), tidyRule('b', [])],
    ],
  },
  {
    type: 'azurerm_monitor_autoscale_setting',
    path: 'profile',
    before: [scaling('PT1M', 20, ['a', 'b'])],
    same: [scaling('PT60S', 20, ['b', 'a'])],
    others: [[scaling('PT1M', 4, ['a', 'b'])], [scaling('PT61S', 20, ['a', 'b'])], [scaling('PT1M', 20, ['a'])]],
  },
  {
    type: 'azurerm_network_security_group',
    path: 'security_rule',
    before: [nsgRule('a', 100), nsgRule('b', 200, 'Deny')],
    same: [nsgRule('b', 200, 'deny'), nsgRule('a', 100)],
    others: [
      [nsgRule('b', 100, 'Deny'), nsgRule('a', 200)],
      [nsgRule('b', 200), nsgRule('a', 100)],
    ],
  },
  {
    type: 'azurerm_linux_virtual_machine',
    path: 'identity',
    before: [
      {
        type: 'UserAssigned',
        identity_ids: [
          `${SUBSCRIPTION}/resourceGroups/a/providers/M.I/ids/x`,
          `${SUBSCRIPTION}/resourceGroups/a/providers/M.I/ids/y`,
        ],
      },
    ],
    same: [
      {
        type: 'UserAssigned',
        identity_ids: [
          `${SUBSCRIPTION}/resourcegroups/A/providers/m.i/ids/y`,
          `${SUBSCRIPTION}/resourceGroups/a/providers/M.I/ids/x`,
        ],
      },
    ],
    others: [
      [
        {
          type: 'UserAssigned',
          identity_ids: [
            `${SUBSCRIPTION}/resourcegroups/B/providers/m.i/ids/y`,
            `${SUBSCRIPTION}/resourceGroups/a/providers/M.I/ids/x`,
          ],
        },
      ],
    ],
  },
  {
    type: 'azurerm_storage_account',
    path: 'location',
    before: 'westeurope',
    same: 'West Europe',
    others: ['North Europe'],
  },
  {
    type: 'azurerm_app_configuration',
    path: 'key_vault_uri',
    before: 'https://kv.vault.azure.net/',
    same: 'https://kv.vault.azure.net',
    others: ['https://kv2.vault.azure.net/'],
  },
  { type: 'azurerm_servicebus_queue', path: 'lock_duration', before: 'PT1M', same: 'PT60S', others: ['PT1H', 'P1M'] },
  {
    type: 'azurerm_network_security_rule',
    path: 'destination_port_range',
    before: '80',
    same: '80-80',
    others: ['80-81', '8080'],
  },
  {
    type: 'kubernetes_deployment',
    path: 'limits',
    before: { cpu: '1' },
    same: { cpu: '1000m' },
    others: [{ cpu: '100m' }, { cpu: '1000Mi' }],
  },
  {
    type: 'kubernetes_cluster_role',
    path: 'rule',
    before: [
      { verbs: ['get', 'list'], resources: ['pods'] },
      { verbs: ['get'], resources: ['nodes'] },
    ],
    same: [
      { verbs: ['get'], resources: ['nodes'] },
      { verbs: ['list', 'get'], resources: ['pods'] },
    ],
    others: [
      [
        { verbs: ['get'], resources: ['pods'] },
        { verbs: ['get', 'list'], resources: ['nodes'] },
      ],
    ],
  },
];

/** Lists with significant order, and texts that are not names: never equivalent. */
const NEVER: [type: string, path: string, before: JsonValue, after: JsonValue][] = [
  [
    'aws_lb_listener',
    'default_action',
    [
      { order: 1, type: 'a' },
      { order: 1, type: 'b' },
    ],
    [
      { order: 1, type: 'b' },
      { order: 1, type: 'a' },
    ],
  ],
  ['aws_lb_listener_rule', 'action', [{ type: 'a' }, { type: 'b' }], [{ type: 'b' }, { type: 'a' }]],
  [
    'aws_cloudfront_distribution',
    'ordered_cache_behavior',
    [{ path_pattern: '/a' }, { path_pattern: '/*' }],
    [{ path_pattern: '/*' }, { path_pattern: '/a' }],
  ],
  [
    'aws_cloudfront_distribution',
    'origin_group',
    [{ member: [{ origin_id: 'a' }, { origin_id: 'b' }] }],
    [{ member: [{ origin_id: 'b' }, { origin_id: 'a' }] }],
  ],
  ['aws_lambda_function', 'layers', ['a', 'b'], ['b', 'a']],
  ['aws_vpc_dhcp_options', 'domain_name_servers', ['10.0.0.2', '10.0.0.3'], ['10.0.0.3', '10.0.0.2']],
  ['aws_autoscaling_group', 'termination_policies', ['a', 'b'], ['b', 'a']],
  [
    'aws_wafv2_web_acl',
    'rule',
    [
      { name: 'a', priority: 1 },
      { name: 'b', priority: 2 },
    ],
    [
      { name: 'a', priority: 2 },
      { name: 'b', priority: 1 },
    ],
  ],
  ['aws_s3_bucket_lifecycle_configuration', 'rule', [{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }]],
  [
    'aws_route_table',
    'route',
    [
      { cidr_block: 'a', gateway_id: 'x' },
      { cidr_block: 'b', gateway_id: 'y' },
    ],
    [
      { cidr_block: 'a', gateway_id: 'y' },
      { cidr_block: 'b', gateway_id: 'x' },
    ],
  ],
  ['aws_instance', 'user_data', 'apt install a b', 'apt install b a'],
  ['azurerm_virtual_network', 'dns_servers', ['10.0.0.4', '10.0.0.5'], ['10.0.0.5', '10.0.0.4']],
  ['google_compute_target_https_proxy', 'ssl_certificates', ['a', 'b'], ['b', 'a']],
  [
    'google_compute_router_nat',
    'rules',
    [
      { rule_number: 1, match: 'a' },
      { rule_number: 2, match: 'b' },
    ],
    [
      { rule_number: 2, match: 'a' },
      { rule_number: 1, match: 'b' },
    ],
  ],
  ['kubernetes_deployment', 'command', ['sh', '-c'], ['-c', 'sh']],
  ['google_compute_subnetwork', 'network', 'main', 'projects/shop-prod/global/networks/main'],
  ['google_cloud_run_service', 'env', { network: 'main' }, { network: `${COMPUTE}/projects/p/global/networks/main` }],
  ['aws_ecs_service', 'environment', { security_groups: ['a', 'b'] }, { security_groups: ['b', 'a'] }],
  ['aws_security_group_rule', 'cidr_blocks', ['10.1.2.3/0'], ['0.0.0.0/0']],
  ['aws_route53_record', 'records', ['Token=AbC'], ['token=abc']],
  ['kubernetes_manifest', 'port', 80, '80'],
  ['terraform_data', 'input', true, 'true'],
  ['cloudflare_record', 'value', 'Abc', 'abc'],
  ['helm_release', 'values', ['a: |\n  x\n\n'], ['a: |\n  x']],
  ['aws_ssm_parameter', 'value', 'Rate(1 hour)', 'rate(1 hour)'],
];

describe.each(CASES.map((one, i) => [`${one.type}.${one.path}`, i, one] as const))('%s (%i)', (_name, _i, one) => {
  test('is noise if both values are equivalent', () => {
    expect(verdict(one, one.before, one.same)).not.toBe('novel');
    expect(verdict(one, one.same, one.before)).not.toBe('novel');
  });

  test.each(one.others)('is a change if it becomes %j', (other) => {
    expect(verdict(one, one.before, other)).toBe('novel');
    expect(verdict(one, other, one.same)).toBe('novel');
  });
});

test.each(NEVER)('%s.%s %j is not equivalent to %j', (type, path, before, after) => {
  expect(verdict({ type, path }, before, after)).toBe('novel');
});

describe('an update of computed attributes only', () => {
  const computed = (type: string, ...names: string[]) => {
    const unknown = Object.fromEntries(names.map((name) => [name, true]));
    const before = Object.fromEntries(names.map((name) => [name, 'a']));
    return classifyNoise(buildChange(type, before, {}, { after_unknown: unknown }), {}).classification;
  };

  test('is noise if the attribute only records the update', () => {
    expect(computed('google_storage_bucket', 'etag', 'effective_labels')).toBe('likely_benign');
    expect(computed('aws_lb', 'tags_all')).toBe('likely_benign');
  });

  test.each([
    ['aws_lb', 'arn'],
    ['aws_lb', 'id'],
    ['aws_s3_object', 'etag'],
    ['aws_secretsmanager_secret_version', 'version_id'],
    ['aws_lambda_function', 'source_code_hash'],
  ])('is a change for %s if %s may identify another version', (type, name) => {
    expect(computed(type, name)).toBe('novel');
    expect(computed(type, 'tags_all', name)).toBe('novel');
  });
});

test('an update without differences is noise, and one without values is not', () => {
  const classify = (before: JsonObject, after: JsonObject) =>
    classifyNoise(buildChange('aws_lambda_function', before, after), {}).classification;

  expect(classify({ tags: { a: '1', b: '2' } }, { tags: { b: '2', a: '1' } })).toBe('likely_benign');
  expect(classify({ tags: { a: '1', b: '2' } }, { tags: { b: '1', a: '2' } })).toBe('novel');
  expect(classify({}, {})).toBe('novel');
});

describe('a set', () => {
  const subnets = { type: 'aws_lb', path: 'subnets' };

  test('is never compared if the plan marks an item sensitive or unknown', () => {
    const masks = [{ after_sensitive: { subnets: [true, false] } }, { before_sensitive: { subnets: true } }];

    for (const mask of masks) expect(verdict(subnets, ['a', 'b'], ['b', 'a'], mask)).toBe('novel');
    expect(verdict(subnets, ['a', 'b'], ['b'], { after_unknown: { subnets: [false, true] } })).toBe('novel');
  });

  test('that forces a replacement is a change', () => {
    expect(verdict(subnets, ['a', 'b'], ['b', 'a'], { replace_paths: [['subnets']] })).toBe('novel');
  });
});

test('each leaf contains its proof, even if the whole change is not noise', () => {
  const change = buildChange(
    'aws_iam_role',
    { assume_role_policy: '{"Statement":{"Action":["a","b"]}}', description: null, max_session_duration: 3600 },
    { assume_role_policy: '{"Statement":[{"Action":["b","a"]}]}', description: '', max_session_duration: 7200 },
  );

  expect(classifyNoise(change, {}).classification).toBe('novel');
  expect(change.diffs.map(({ path, same }) => [path, same])).toEqual([
    ['assume_role_policy', 'policy'],
    ['description', 'empty'],
    ['max_session_duration', undefined],
  ]);
});

function verdict(
  { type, beside, path }: Pick<Case, 'type' | 'beside' | 'path'>,
  before: JsonValue,
  after: JsonValue,
  more = {},
) {
  const change = buildChange(type, { ...beside, [path]: before }, { ...beside, [path]: after }, more);
  return classifyNoise(change, {}).classification;
}

function buildChange(type: string, before: JsonObject, after: JsonObject, more = {}) {
  return normalizeChange({
    address: `${type}.this`,
    mode: 'managed',
    type,
    name: 'this',
    change: { actions: ['update'], before, after, after_unknown: {}, ...more },
  });
}

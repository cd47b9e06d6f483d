import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { findings, judge } from './judging.ts';

describe('the lifecycle of a bucket', () => {
  const aws = (...rule: JsonObject[]) => ({ bucket: 'b', rule });
  const days = (id: string, value: number, more: JsonObject = {}) => ({
    id,
    status: 'Enabled',
    filter: [{ prefix: 'logs/' }],
    expiration: [{ days: value }],
    ...more,
  });

  test.each<[string, JsonObject, JsonObject, string | undefined]>([
    ['is high when the days are lowered', aws(days('a', 90)), aws(days('a', 30)), 'high'],
    ['gives no reason when the days are raised', aws(days('a', 30)), aws(days('a', 90)), undefined],
    ['is high when a rule is added', aws(), aws(days('a', 90)), 'high'],
    ['is high when a rule is enabled', aws(days('a', 90, { status: 'Disabled' })), aws(days('a', 90)), 'high'],
    [
      'gives no reason when a rule is disabled',
      aws(days('a', 90)),
      aws(days('a', 90, { status: 'Disabled' })),
      undefined,
    ],
    ['gives no reason when a rule is renamed', aws(days('a', 90)), aws(days('b', 90)), undefined],
    [
      'gives no reason when rules are reordered',
      aws(days('a', 90), days('b', 10, { filter: [] })),
      aws(days('b', 10, { filter: [] }), days('a', 90)),
      undefined,
    ],
    [
      'is high when old versions are deleted earlier',
      aws({ id: 'a', status: 'Enabled', noncurrent_version_expiration: [{ noncurrent_days: 90 }] }),
      aws({ id: 'a', status: 'Enabled', noncurrent_version_expiration: [{ noncurrent_days: 7 }] }),
      'high',
    ],
    [
      'gives no reason when incomplete uploads are deleted',
      aws(),
      aws({ id: 'a', status: 'Enabled', abort_incomplete_multipart_upload: [{ days_after_initiation: 7 }] }),
      undefined,
    ],
  ])('%s', (_, before, after, level) => {
    expect(judge('update', 'aws_s3_bucket_lifecycle_configuration', { before, after })['R-STO-EXPIRE']).toBe(level);
  });

  test('is medium when it is new', () => {
    expect(judge('create', 'aws_s3_bucket_lifecycle_configuration', { after: aws(days('a', 1)) })).toEqual({
      'R-STO-EXPIRE': 'medium',
    });
  });

  test('is also checked for Google and Azure', () => {
    const google = (age: number, type = 'Delete') => ({
      lifecycle_rule: [{ action: [{ type }], condition: [{ age, with_state: 'ANY' }] }],
    });
    expect(judge('update', 'google_storage_bucket', { before: google(90), after: google(30) })).toEqual({
      'R-STO-EXPIRE': 'high',
    });
    expect(judge('update', 'google_storage_bucket', { before: google(90), after: google(120) })).toEqual({});
    expect(
      judge('update', 'google_storage_bucket', {
        before: google(90, 'SetStorageClass'),
        after: google(30, 'SetStorageClass'),
      }),
    ).toEqual({});
    const azure = (days: number) => ({
      rule: [
        {
          name: 'r',
          enabled: true,
          actions: [{ base_blob: [{ delete_after_days_since_modification_greater_than: days }] }],
        },
      ],
    });
    expect(judge('update', 'azurerm_storage_management_policy', { before: azure(90), after: azure(30) })).toEqual({
      'R-STO-EXPIRE': 'high',
    });
    expect(judge('update', 'azurerm_storage_management_policy', { before: azure(-1), after: azure(30) })).toEqual({
      'R-STO-EXPIRE': 'high',
    });
  });
});

describe('a DNS record', () => {
  const record = (type: string, name: string, value = '1.2.3.4') => ({
    type,
    name,
    zone_id: 'Z1',
    ttl: 300,
    records: [value],
  });

  test.each([
    ['A', 'example.com', true],
    ['A', 'example.co.uk', true],
    ['AAAA', '*.example.com', true],
    ['CNAME', '*', true],
    ['NS', 'dev.example.com', true],
    ['MX', 'mail.example.com', true],
    ['DS', 'example.com', true],
    ['A', 'www.example.com', false],
    ['TXT', 'example.com', false],
    ['CNAME', 'app.dev.example.com', false],
  ])('%s %s is reported as a record of the whole domain: %s', (type, name, apex) => {
    const before = record(type, name);
    const judged = judge('update', 'aws_route53_record', { before, after: record(type, name, '5.6.7.8') });
    expect(judged).toEqual(apex ? { 'R-DNS-APEX': 'high' } : { 'R-ATTR-aws_route53_record.records': 'medium' });
    expect(judge('delete', 'aws_route53_record', { before })).toEqual(apex ? { 'R-DNS-APEX': 'high' } : {});
    expect(judge('delete', 'aws_route53_record', { before, facts: { destroyed: new Set(['Z1']) } })).toEqual({});
    expect(judge('update', 'aws_route53_record', { before, after: { ...before, ttl: 60 } })).toEqual({});
    expect(judge('create', 'aws_route53_record', { after: before })).toEqual({});
  });

  test('of other providers is checked, too', () => {
    expect(
      judge('delete', 'azurerm_dns_a_record', {
        before: { name: '@', zone_name: 'example.com', records: ['1.2.3.4'] },
      }),
    ).toEqual({ 'R-DNS-APEX': 'high' });
    expect(judge('delete', 'azurerm_dns_mx_record', { before: { name: 'x' } })).toEqual({ 'R-DNS-APEX': 'high' });
    expect(
      judge('delete', 'google_dns_record_set', {
        before: { type: 'A', name: 'dev.example.com.', managed_zone: 'dev-example-com' },
      }),
    ).toEqual({ 'R-DNS-APEX': 'high' });
    expect(judge('delete', 'cloudflare_record', { before: { type: 'A', name: 'www', value: '1.2.3.4' } })).toEqual({});
  });
});

describe('the capacity of a workload', () => {
  test.each([
    ['aws_ecs_service', 3, 0, 'high'],
    ['aws_ecs_service', 10, 4, 'medium'],
    ['aws_ecs_service', 10, 5, undefined],
    ['aws_ecs_service', 2, 1, undefined],
    ['aws_ecs_service', 0, 3, undefined],
  ])('%s from %d to %d is reported only when it drops to zero or by more than half', (type, from, to, level) => {
    expect(
      judge('update', type, { before: { desired_count: from }, after: { desired_count: to } })['R-CMP-SCALE0'],
    ).toBe(level);
  });

  test('is read from nested blocks and numeric strings', () => {
    const group = (size: number) => ({ scaling_config: [{ desired_size: size }] });
    expect(judge('update', 'aws_eks_node_group', { before: group(6), after: group(2) })).toEqual({
      'R-CMP-SCALE0': 'medium',
    });
    expect(
      judge('update', 'kubernetes_deployment', {
        before: { spec: [{ replicas: '2' }] },
        after: { spec: [{ replicas: '0' }] },
      }),
    ).toEqual({ 'R-CMP-SCALE0': 'high' });
    expect(judge('create', 'aws_autoscaling_group', { after: { desired_capacity: 0 } })).toEqual({});
  });
});

describe('a container of a task', () => {
  const task = (...containers: JsonObject[]) => ({ container_definitions: JSON.stringify(containers) });

  test.each<[JsonObject, string | undefined]>([
    [{ name: 'a', privileged: true }, 'high'],
    [{ name: 'a', user: 'root' }, 'medium'],
    [{ name: 'a', user: '0:0' }, 'medium'],
    [{ name: 'a', user: '1000', privileged: false }, undefined],
  ])('%j is rated by its privileges', (container, level) => {
    expect(judge('create', 'aws_ecs_task_definition', { after: task(container) })['R-CMP-PRIV']).toBe(level);
    expect(
      judge('replace', 'aws_ecs_task_definition', { before: task({ name: 'a' }), after: task(container) })[
        'R-CMP-PRIV'
      ],
    ).toBe(level);
    expect(
      judge('replace', 'aws_ecs_task_definition', { before: task(container), after: task(container, { name: 'b' }) }),
    ).toEqual({});
  });

  test('is high when it shares a namespace of the host', () => {
    expect(judge('create', 'aws_ecs_task_definition', { after: { ...task(), pid_mode: 'host' } })).toEqual({
      'R-CMP-PRIV': 'high',
    });
    expect(judge('create', 'aws_ecs_task_definition', { after: { ...task(), network_mode: 'awsvpc' } })).toEqual({});
  });
});

test.each<[string, JsonObject, JsonObject, string | undefined]>([
  ['turning off OS Login is high', { 'enable-oslogin': 'TRUE' }, { 'enable-oslogin': 'FALSE' }, 'high'],
  ['removing OS Login is high', { 'enable-oslogin': 'TRUE' }, {}, 'high'],
  ['enabling the serial port is high', {}, { 'serial-port-enable': 'TRUE' }, 'high'],
  ['accepting project keys is high', { 'block-project-ssh-keys': 'TRUE' }, {}, 'high'],
  ['turning on OS Login gives no reason', { 'enable-oslogin': 'FALSE' }, { 'enable-oslogin': 'TRUE' }, undefined],
  ['changing another key gives no reason', { foo: 'a' }, { foo: 'b' }, undefined],
])('in the metadata of an instance, %s', (_, before, after, level) => {
  expect(
    judge('update', 'google_compute_instance', { before: { metadata: before }, after: { metadata: after } })[
      'R-ATTR-google_compute_instance.metadata'
    ],
  ).toBe(level);
});

describe('a listener or key', () => {
  const listener = (protocol: string, type = 'forward', more: JsonObject = {}) => ({
    protocol,
    default_action: [{ type }],
    ...more,
  });

  test.each<[string, JsonObject, JsonObject, string | undefined]>([
    ['is high when a listener changes from HTTPS to HTTP', listener('HTTPS'), listener('HTTP'), 'high'],
    ['gives no reason when a listener changes from HTTP to HTTPS', listener('HTTP'), listener('HTTPS'), undefined],
    ['is medium when a listener no longer redirects', listener('HTTP', 'redirect'), listener('HTTP'), 'medium'],
    [
      'is high when a listener gets an older TLS policy',
      listener('HTTPS', 'forward', { ssl_policy: 'ELBSecurityPolicy-TLS13-1-2-2021-06' }),
      listener('HTTPS', 'forward', { ssl_policy: 'ELBSecurityPolicy-2016-08' }),
      'high',
    ],
    [
      'gives no reason when a listener gets a newer TLS policy',
      listener('HTTPS', 'forward', { ssl_policy: 'ELBSecurityPolicy-2016-08' }),
      listener('HTTPS', 'forward', { ssl_policy: 'ELBSecurityPolicy-TLS-1-2-2017-01' }),
      undefined,
    ],
  ])('%s', (_, before, after, level) => {
    expect(judge('update', 'aws_lb_listener', { before, after })['R-TLS-DOWN']).toBe(level);
  });

  test('is medium when a listener is new and serves HTTP without a redirect', () => {
    expect(judge('create', 'aws_lb_listener', { after: listener('HTTP') })).toEqual({ 'R-TLS-DOWN': 'medium' });
    expect(judge('create', 'aws_lb_listener', { after: listener('HTTP', 'redirect') })).toEqual({});
    expect(judge('create', 'aws_lb_listener', { after: listener('TCP') })).toEqual({});
  });

  test.each<[JsonObject, JsonObject, string | undefined]>([
    [{ rotation_period: '7776000s' }, { rotation_period: null }, 'medium'],
    [{ rotation_period: '7776000s' }, { rotation_period: '31536000s' }, 'medium'],
    [{ rotation_period: null }, { rotation_period: '7776000s' }, undefined],
  ])('is medium when rotation is removed or slower: %j to %j', (before, after, level) => {
    expect(judge('update', 'google_kms_crypto_key', { before, after })['R-ENC-ROTATE']).toBe(level);
  });
});

describe('a web application firewall', () => {
  const rule = (name: string, action: string) => ({
    name,
    priority: 1,
    action: [{ allow: [], block: [], count: [], [action]: [{}] }],
  });

  test('is high when a rule is removed or changed to count, and gives no reason when rules are reordered', () => {
    const before = { rule: [rule('a', 'block'), rule('b', 'block')] };
    expect(judge('update', 'aws_wafv2_web_acl', { before, after: { rule: [rule('a', 'block')] } })).toEqual({
      'R-SEC-WAF': 'high',
    });
    expect(
      judge('update', 'aws_wafv2_web_acl', { before, after: { rule: [rule('a', 'block'), rule('b', 'count')] } }),
    ).toEqual({ 'R-SEC-WAF': 'high' });
    expect(judge('update', 'aws_wafv2_web_acl', { before, after: { rule: [...before.rule].reverse() } })).toEqual({});
    expect(
      judge('update', 'aws_wafv2_web_acl', { before: { rule: [rule('a', 'allow')] }, after: { rule: [] } }),
    ).toEqual({});
  });

  test('of Google is high when a deny rule changes to allow', () => {
    const armor = (action: string, priority = 2147483647) => ({ rule: [{ action, priority }] });
    expect(
      judge('update', 'google_compute_security_policy', { before: armor('deny(403)'), after: armor('allow') }),
    ).toEqual({ 'R-SEC-WAF': 'high' });
    expect(
      judge('update', 'google_compute_security_policy', { before: armor('allow'), after: armor('deny(403)') }),
    ).toEqual({});
  });
});

describe('a database', () => {
  test('is high when a parameter no longer requires encryption', () => {
    const group = (value: string) => ({ parameter: [{ name: 'rds.force_ssl', value }] });
    expect(judge('update', 'aws_db_parameter_group', { before: group('1'), after: group('0') })).toEqual({
      'R-TLS-DOWN': 'high',
    });
    expect(judge('update', 'aws_db_parameter_group', { before: group('1'), after: { parameter: [] } })).toEqual({
      'R-TLS-DOWN': 'high',
    });
    expect(judge('update', 'aws_db_parameter_group', { before: group('0'), after: group('1') })).toEqual({});
    expect(judge('create', 'aws_db_parameter_group', { after: group('1') })).toEqual({});
    const one = (value: string) => ({ name: 'require_secure_transport', value });
    expect(
      judge('update', 'azurerm_postgresql_flexible_server_configuration', { before: one('on'), after: one('off') }),
    ).toEqual({ 'R-TLS-DOWN': 'high' });
  });

  test('is critical when columns are removed, and new columns give no reason', () => {
    const table = (...columns: string[]) => ({
      schema: JSON.stringify(columns.map((name) => ({ name, type: 'STRING' }))),
    });
    const rule = 'R-ATTR-google_bigquery_table.schema';
    expect(judge('update', 'google_bigquery_table', { before: table('a', 'b'), after: table('b') })[rule]).toBe(
      'critical',
    );
    expect(judge('update', 'google_bigquery_table', { before: table('a', 'b'), after: table('b', 'a', 'c') })).toEqual(
      {},
    );
  });

  test('is high when its address filter is emptied or opened', () => {
    const rule = 'R-ATTR-azurerm_cosmosdb_account.ip_range_filter';
    expect(
      judge('update', 'azurerm_cosmosdb_account', {
        before: { ip_range_filter: '1.2.3.4' },
        after: { ip_range_filter: '' },
      })[rule],
    ).toBe('high');
    expect(
      judge('update', 'azurerm_cosmosdb_account', {
        before: { ip_range_filter: ['1.2.3.4'] },
        after: { ip_range_filter: ['1.2.3.4', '0.0.0.0'] },
      })[rule],
    ).toBe('high');
    expect(
      judge('update', 'azurerm_cosmosdb_account', {
        before: { ip_range_filter: '1.2.3.4,5.6.7.8' },
        after: { ip_range_filter: '1.2.3.4' },
      }),
    ).toEqual({});
  });
});

test('deletion protection and public access are checked for types that no row names', () => {
  expect(
    judge('update', 'alicloud_db_instance', {
      before: { deletion_protection: true },
      after: { deletion_protection: false },
    }),
  ).toEqual({ 'R-DEL-PROTECT': 'high' });
  expect(judge('create', 'scaleway_thing', { after: { publicly_accessible: true } })).toEqual({
    'R-DB-PUBLIC': 'high',
  });
  expect(
    findings('update', 'some_thing', { before: { force_destroy: true }, after: { force_destroy: false } }).change
      .diffs[0]!.direction,
  ).toBe('strengthening');
});

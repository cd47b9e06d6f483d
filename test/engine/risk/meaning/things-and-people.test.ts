import { describe } from '@jest/globals';
import { testLevels } from './judging.ts';

const MANY_RECORDS = (live: number, next: number) => ({
  records: [
    { name: 'live', weight: live },
    { name: 'next', weight: next },
  ],
});

describe('machines, data, people and traffic of private providers', () => {
  testLevels([
    [
      'corp_gateway_route',
      { upstream_tls: { mode: 'verify' } },
      { upstream_tls: { mode: 'none' } },
      'high',
      'R-VAL-WORDS',
    ],
    [
      'corp_gateway_route',
      { upstream_tls: { mode: 'verify' } },
      { upstream_tls: { mode: 'optional' } },
      'high',
      'R-VAL-WORDS',
    ],
    ['corp_scheduler', { timezone: 'Europe/Berlin' }, { timezone: 'America/Los_Angeles' }, 'medium', 'R-VAL-WORDS'],
    ['corp_firmware', { channel: 'stable' }, { channel: 'nightly' }, 'medium', 'R-VAL-WORDS'],
    ['corp_door', { fail_state: 'locked' }, { fail_state: 'unlocked' }, 'high', 'R-VAL-WORDS'],
    ['corp_valve', { max_pressure_bar: 8 }, { max_pressure_bar: 80 }, 'high'],
    ['corp_sensor', { interval: '10s' }, { interval: '1h' }, 'medium'],
    ['corp_content_filter', { categories: ['malware', 'adult'] }, { categories: ['adult'] }, 'high'],
    [
      'corp_registry',
      { allowed_upstreams: ['registry.acme.io'] },
      { allowed_upstreams: ['registry.acme.io', 'docker.io/*'] },
      'high',
    ],
    ['corp_data_job', { on_schema_change: 'fail' }, { on_schema_change: 'drop_columns' }, 'high'],
    ['corp_data_job', { checkpointing: true }, { checkpointing: false }, 'medium'],
    ['corp_sync', { delete_missing: false }, { delete_missing: true }, 'high'],
    ['corp_sync', { direction: 'one-way' }, { direction: 'mirror' }, 'high'],
    ['corp_support_access', { vendor_access: 'on_request' }, { vendor_access: 'always' }, 'high'],
    ['corp_bastion', { session_recording: true }, { session_recording: false }, 'high'],
    ['corp_cache', { key_includes: ['host', 'authorization'] }, { key_includes: ['host'] }, 'high'],
    ['corp_upload', { allowed_types: ['image/png'] }, { allowed_types: ['*/*'] }, 'high'],
    ['corp_sql_role', { row_filter: 'tenant = current_tenant()' }, { row_filter: '' }, 'high'],
    ['corp_oncall', { members: ['a', 'b'] }, { members: [] }, 'high'],
    ['corp_oncall', { members: ['a', 'b'] }, { members: ['a'] }, 'medium'],
    ['corp_storage_pool', { raid: 'raid6' }, { raid: 'raid0' }, 'high'],
    ['corp_edge_rule', { challenge: 'captcha' }, { challenge: 'none' }, 'high'],
    ['corp_identity_mapping', { claim: 'groups', value: 'admins' }, { claim: 'groups', value: '*' }, 'high'],
    ['corp_traffic_policy', MANY_RECORDS(90, 10), MANY_RECORDS(0, 100), 'high'],
    ['corp_dns_zone_signing', { dnssec: 'on' }, { dnssec: 'off' }, 'high'],
  ]);
});

describe('their routine twins', () => {
  testLevels([
    ['corp_gateway_route', { upstream_tls: { mode: 'none' } }, { upstream_tls: { mode: 'verify' } }, 'low'],
    ['corp_user', { timezone: 'Europe/Berlin' }, { timezone: 'Europe/Paris' }, 'low'],
    ['corp_firmware', { channel: 'nightly' }, { channel: 'stable' }, 'low'],
    ['corp_door', { fail_state: 'unlocked' }, { fail_state: 'locked' }, 'low'],
    ['corp_valve', { max_pressure_bar: 8 }, { max_pressure_bar: 9 }, 'low'],
    ['corp_sensor', { interval: '10s' }, { interval: '15s' }, 'low'],
    ['corp_content_filter', { categories: ['adult'] }, { categories: ['adult', 'malware'] }, 'low'],
    ['corp_sync', { delete_missing: true }, { delete_missing: false }, 'low'],
    ['corp_sync', { direction: 'mirror' }, { direction: 'one-way' }, 'low'],
    ['corp_support_access', { vendor_access: 'always' }, { vendor_access: 'on_request' }, 'low'],
    ['corp_cache', { key_includes: ['host'] }, { key_includes: ['host', 'authorization'] }, 'low'],
    ['corp_oncall', { members: ['a'] }, { members: ['a', 'b'] }, 'low'],
    ['corp_storage_pool', { raid: 'raid5' }, { raid: 'raid6' }, 'low'],
    ['corp_edge_rule', { challenge: 'none' }, { challenge: 'captcha' }, 'low'],
    ['corp_traffic_policy', MANY_RECORDS(100, 0), MANY_RECORDS(95, 5), 'low'],
    ['corp_data_job', { checkpointing: false }, { checkpointing: true }, 'low'],
  ]);
});

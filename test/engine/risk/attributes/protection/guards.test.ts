import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findAttributeReasons } from '../../../../../engine/risk/attributes/index.ts';
import { NO_FACTS } from '../../helpers.ts';
import { buildChange, findings, judge } from '../judging.ts';

const destroyed = (...names: string[]) => ({ facts: { destroyed: new Set(names) } });

describe('deleting a guard', () => {
  test.each<[string, JsonObject, string, string, string | null]>([
    ['aws_s3_bucket_public_access_block', { bucket: 'logs' }, 'R-STO-PUBLIC', 'high', 'logs'],
    ['aws_s3_account_public_access_block', { account_id: '1' }, 'R-STO-PUBLIC', 'critical', null],
    ['aws_cloudtrail', { name: 'trail' }, 'R-LOG-OFF', 'critical', null],
    ['aws_guardduty_detector', { enable: true }, 'R-LOG-OFF', 'critical', null],
    ['aws_flow_log', { vpc_id: 'vpc-1' }, 'R-LOG-OFF', 'high', 'vpc-1'],
    ['aws_config_configuration_recorder', { name: 'r' }, 'R-LOG-OFF', 'high', null],
    ['aws_s3_bucket_logging', { bucket: 'logs' }, 'R-LOG-OFF', 'medium', 'logs'],
    ['azurerm_monitor_diagnostic_setting', { target_resource_id: '/x' }, 'R-LOG-OFF', 'high', '/x'],
    ['aws_wafv2_web_acl_association', { resource_arn: 'arn:lb' }, 'R-SEC-WAF', 'high', 'arn:lb'],
    [
      'azurerm_subnet_network_security_group_association',
      { subnet_id: '/s' },
      'R-ATTR-azurerm_subnet_network_security_group_association',
      'critical',
      '/s',
    ],
    ['aws_backup_plan', { name: 'daily' }, 'R-DB-BACKUP', 'high', null],
    ['aws_backup_selection', { resources: ['arn:db'] }, 'R-DB-BACKUP', 'high', 'arn:db'],
    ['azurerm_backup_protected_vm', { source_vm_id: '/vm' }, 'R-DB-BACKUP', 'high', '/vm'],
    ['aws_backup_vault_lock_configuration', { backup_vault_name: 'v' }, 'R-STO-VERSIONING', 'high', 'v'],
    ['azurerm_management_lock', { scope: '/rg' }, 'R-DEL-PROTECT', 'high', '/rg'],
    [
      'aws_organizations_policy_attachment',
      { target_id: 'ou-1' },
      'R-ATTR-aws_organizations_policy_attachment',
      'high',
      'ou-1',
    ],
  ])('%s is reported unless the protected resource is deleted, too', (type, before, rule, level, protectee) => {
    expect(judge('delete', type, { before })).toEqual({ [rule]: level });
    expect(judge('delete', type, { before, ...destroyed('something-else') })).toEqual({ [rule]: level });
    if (protectee) expect(judge('delete', type, { before, ...destroyed(protectee) })).toEqual({});
  });

  test('gives no reason for a deposed object', () => {
    const change = { ...buildChange('delete', 'aws_cloudtrail', { before: { name: 't' } }), deposed: 'abcd1234' };
    expect(findAttributeReasons(change, NO_FACTS).reasons).toEqual([]);
  });

  test('is reported for a destroy-first replacement but not for a create-first one', () => {
    const sides = { before: { vpc_id: 'vpc-1', log_format: 'a' }, after: { vpc_id: 'vpc-1', log_format: 'b' } };
    expect(judge('replace', 'aws_flow_log', sides)['R-LOG-OFF']).toBe('high');
    const change = buildChange('replace', 'aws_flow_log', sides);
    const created_first = { ...change, actions: ['create', 'delete'] };
    expect(findAttributeReasons(created_first, NO_FACTS).reasons).toEqual([]);
  });

  test('counts as a weakening from level high', () => {
    expect(findings('delete', 'aws_flow_log', { before: { vpc_id: 'vpc-1' } }).weakens_high).toBe(true);
    expect(findings('delete', 'aws_s3_bucket_logging', { before: { bucket: 'b' } }).weakens_high).toBe(false);
  });
});

test.each([
  ['aws_s3_bucket', { bucket: 'b', force_destroy: true }],
  ['aws_security_group', { ingress: [] }],
  ['null_resource', { triggers: {} }],
])('deleting %s gives no attribute reason', (type, before) => {
  expect(judge('delete', type, { before })).toEqual({});
});

describe('destroying a database without a final snapshot', () => {
  test.each(['aws_db_instance', 'aws_rds_cluster'])('is critical for %s', (type) => {
    expect(judge('delete', type, { before: { skip_final_snapshot: true } })).toEqual({ 'R-DB-SKIPSNAP': 'critical' });
    expect(
      judge('replace', type, {
        before: { skip_final_snapshot: true, port: 1 },
        after: { skip_final_snapshot: true, port: 2 },
      }),
    ).toEqual({ 'R-DB-SKIPSNAP': 'critical' });
    expect(judge('delete', type, { before: { skip_final_snapshot: false } })).toEqual({});
    expect(judge('create', type, { after: { skip_final_snapshot: true } })).toEqual({});
  });
});

import { expect, test } from '@jest/globals';
import { judgeInvocation } from '../../../engine/risk/invocations.ts';

test.each([
  ['aws_ec2_stop_instance', { instance_id: 'i-0abc', force: true }, 'high'],
  ['azurerm_virtual_machine_power', { power_action: 'power_off' }, 'high'],
  ['azurerm_virtual_machine_power', { power_action: 'restart' }, 'medium'],
  ['acme_database_truncate', {}, 'high'],
  ['acme_cluster_failover', {}, 'high'],
  ['ansible_playbook', {}, 'medium'],
  ['aws_ssm_send_command', { document: 'AWS-RunShellScript' }, 'medium'],
])('the action %s with %j is %s', (type, config_values, level) => {
  expect(judgeInvocation({ address: 'action.x', type, config_values })?.level).toBe(level);
});

test.each([
  ['aws_cloudfront_create_invalidation', { paths: ['/*'] }],
  ['fastly_purge_cache', {}],
  ['azurerm_virtual_machine_power', { power_action: 'power_on' }],
  ['aws_sns_publish', { message: 'deployed' }],
  ['aws_lambda_invoke', { payload: '{}' }],
  ['acme_thing', 'not an object'],
])('the action %s with %j needs no attention', (type, config_values) => {
  expect(judgeInvocation({ address: 'action.x', type, config_values })).toBeNull();
});

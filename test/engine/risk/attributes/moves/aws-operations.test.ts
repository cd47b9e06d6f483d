import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../../helpers.ts';
import { type LevelCase, testLevels } from '../../meaning/judging.ts';

const action = (type: string, inner: JsonObject = {}) => ({ default_action: [{ type, ...inner }] });
const redrive = (attempts: number, queue = 'dlq') => ({
  redrive_policy: JSON.stringify({
    deadLetterTargetArn: `arn:aws:sqs:eu-west-1:1:${queue}`,
    maxReceiveCount: attempts,
  }),
});
const masks = (...kinds: string[]) => ({
  policy_document: JSON.stringify({
    Statement: [{ DataIdentifier: kinds.map((kind) => `arn:aws:dataprotection::aws:data-identifier/${kind}`) }],
  }),
});
const session = (inputs: JsonObject) => ({ content: JSON.stringify({ schemaVersion: '1.0', inputs }) });

describe('moves of AWS operations', () => {
  testLevels([
    ['aws_lambda_function', { reserved_concurrent_executions: 10 }, { reserved_concurrent_executions: 0 }, 'high'],
    ['aws_lambda_function', { reserved_concurrent_executions: 10 }, { reserved_concurrent_executions: 20 }, 'low'],
    ['aws_sns_topic_subscription', { raw_message_delivery: false }, { raw_message_delivery: true }, 'high'],
    ['aws_lb_listener', action('authenticate-oidc'), action('forward'), 'high'],
    ['aws_lb_target_group', { deregistration_delay: '300' }, { deregistration_delay: '0' }, 'medium'],
    ['aws_lb_target_group', { deregistration_delay: '300' }, { deregistration_delay: '240' }, 'low'],
    ['aws_autoscaling_group', { suspended_processes: [] }, { suspended_processes: ['Launch'] }, 'high'],
    ['aws_autoscaling_group', { suspended_processes: ['Launch'] }, { suspended_processes: [] }, 'low'],
    ['aws_ssm_association', { parameters: { Operation: 'Install' } }, { parameters: { Operation: 'Scan' } }, 'high'],
    ['aws_route53_health_check', { disabled: false }, { disabled: true }, 'high'],
    [
      'aws_codedeploy_deployment_group',
      ...rename('CodeDeployDefault.OneAtATime', 'CodeDeployDefault.AllAtOnce'),
      'high',
    ],
  ] satisfies LevelCase[]);

  test('opposite moves of one argument are both reported', () => {
    const judge = (from: number, to: number) => {
      const target = (value: number) => ({ target_tracking_configuration: [{ target_value: value }] });
      return judgeAlone(makeChange('aws_autoscaling_policy', 'update', [target(from), target(to)])).level;
    };
    expect([judge(50, 80), judge(50, 55), judge(50, 20), judge(60, 0.6)]).toEqual(['medium', 'low', 'medium', 'high']);
  });

  test('a new resource with such a value is not reported, unless the table says so', () => {
    const create = (type: string, after: JsonObject) => judgeAlone(makeChange(type, 'create', [null, after])).level;
    expect(create('aws_lambda_function', { reserved_concurrent_executions: 0 })).toBe('medium');
    expect(create('aws_sns_topic_subscription', { raw_message_delivery: true })).toBe('low');
  });
});

describe('moves in JSON texts', () => {
  testLevels([
    ['aws_sqs_queue_redrive_policy', redrive(5), redrive(1), 'medium'],
    ['aws_sqs_queue_redrive_policy', redrive(5), redrive(4), 'low'],
    ['aws_sqs_queue_redrive_policy', redrive(5), redrive(5, 'other'), 'medium'],
    ['aws_cloudwatch_log_data_protection_policy', masks('Name', 'EmailAddress'), masks('Name'), 'high'],
    ['aws_ssm_document', session({ s3BucketName: 'a' }), session({ s3BucketName: '' }), 'high'],
    [
      'aws_ssm_document',
      session({ s3BucketName: 'a', cloudWatchLogGroupName: 'b' }),
      session({ s3BucketName: '', cloudWatchLogGroupName: 'b' }),
      'medium',
    ],
  ]);

  test('a text that is not JSON has no settings', () => {
    const { reasons } = judgeAlone(
      makeChange('aws_sqs_queue_redrive_policy', 'update', [redrive(5), { redrive_policy: 'x' }]),
    );
    expect(reasons.filter(({ rule_id }) => rule_id.includes('{}'))).toEqual([]);
  });

  test('the reason names the setting', () => {
    const { reasons } = judgeAlone(makeChange('aws_sqs_queue_redrive_policy', 'update', [redrive(5), redrive(1)]));
    expect(reasons.map(({ message }) => message)).toContain(
      'A message is given up when its first processing fails: redrive_policy.maxReceiveCount changes from 5 to 1.',
    );
  });
});

function rename(before: string, after: string): [JsonObject, JsonObject] {
  return [{ deployment_config_name: before }, { deployment_config_name: after }];
}

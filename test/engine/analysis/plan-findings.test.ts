import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/analyze.ts';
import type { JsonObject } from '../../../engine/model/result.ts';

function judge(members: JsonObject) {
  const { risk_level, risk } = analyzePlan(JSON.stringify({ format_version: '1.2', resource_changes: [], ...members }));
  return { level: risk_level, escalations: risk.escalations.map(({ rule_id, message }) => [rule_id, message]) };
}

const later = (type: string, change: JsonObject) => ({
  complete: false,
  deferred_changes: [
    {
      reason: 'instance_count_unknown',
      resource_change: { address: `${type}.x`, mode: 'managed', type, name: 'x', change },
    },
  ],
});

describe('a plan without changes', () => {
  test('has the level of the riskiest deferred change', () => {
    const { level, escalations } = judge(later('aws_db_instance', { actions: ['delete'], before: {}, after: null }));

    expect(level).toBe('critical');
    expect(escalations).toEqual([
      [
        'R-PLAN-LATER',
        'Escalated to critical because the deferred change of aws_db_instance.x is at level critical as far as it is known.',
      ],
      [
        'R-PLAN-DEFERRED',
        'Escalated to medium because 1 change is deferred to a later plan and could not be evaluated.',
      ],
    ]);
  });

  test('is medium if what it defers is routine', () => {
    const { level, escalations } = judge(later('aws_sqs_queue', { actions: ['create'], before: null, after: {} }));

    expect(level).toBe('medium');
    expect(escalations).toHaveLength(1);
  });

  test('is medium if a check fails, and none if all pass', () => {
    const check = (status: string) => ({ checks: [{ address: { to_display: 'check.a' }, status, instances: [] }] });

    expect(judge(check('fail'))).toMatchObject({
      level: 'medium',
      escalations: [['R-PLAN-CHECK', expect.any(String)]],
    });
    expect(judge(check('error')).level).toBe('medium');
    expect(judge(check('pass')).level).toBe('none');
    expect(judge(check('unknown')).level).toBe('none');
  });

  test('has the level of its riskiest action; the last of two lists counts', () => {
    const action = (type: string) => ({ address: `action.${type}.x`, type, config_values: {} });
    const two = judge({ action_invocations: [action('acme_run_command'), action('aws_ec2_stop_instance'), {}] });

    expect(two).toEqual({
      level: 'high',
      escalations: [
        [
          'R-PLAN-ACTION',
          'Escalated to high because the action action.aws_ec2_stop_instance.x stops something that may be in use.',
        ],
      ],
    });
    const text = `{"format_version":"1.2","action_invocations":[${JSON.stringify(action('aws_ec2_stop_instance'))}],"action_invocations":[]}`;
    expect(analyzePlan(text).risk_level).toBe('none');
  });

  test('is high if a new output shows a password', () => {
    const output = (after: string) => ({
      output_changes: { admin_password: { actions: ['create'], before: null, after, after_sensitive: false } },
    });

    expect(judge(output('Gl4ss-Harbor-7')).level).toBe('high');
    expect(judge(output('projects/acme/secrets/admin')).level).toBe('none');
  });
});

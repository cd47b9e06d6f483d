import { describe, expect, test } from '@jest/globals';
import type { ResourceChange } from '../../../engine/changes/types.ts';
import { judgePlan, makeChange, ruleIds } from './helpers.ts';

function times(count: number, make: () => ResourceChange): ResourceChange[] {
  return Array.from({ length: count }, make);
}

const remove = (type: string) => () => makeChange(type, 'delete', [{}, null]);
const keep = (type: string) => () => makeChange(type, 'no-op');
const publicBucket = () => makeChange('aws_s3_bucket_acl', 'create', [null, { acl: 'public-read' }]);

describe('the level of a plan', () => {
  test.each<[string, ResourceChange[], string, string[]]>([
    ['no changes', [], 'none', []],
    ['only unchanged resources', times(3, keep('aws_vpc')), 'none', []],
    ['9 plain deletes of 20', [...times(9, remove('aws_sns_topic')), ...times(11, keep('aws_vpc'))], 'medium', []],
    [
      '10 plain deletes of 21',
      [...times(10, remove('aws_sns_topic')), ...times(11, keep('aws_vpc'))],
      'high',
      ['R-BLAST-MANY'],
    ],
    [
      '6 alarms deleted of 10',
      [...times(6, remove('aws_cloudwatch_metric_alarm')), ...times(4, keep('aws_vpc'))],
      'medium',
      [],
    ],
    [
      '6 subnets deleted of 10',
      [...times(6, remove('aws_subnet')), ...times(4, keep('aws_vpc'))],
      'critical',
      ['R-BLAST-MASS'],
    ],
    ['4 subnets deleted of 5', [...times(4, remove('aws_subnet')), keep('aws_vpc')()], 'high', []],
    ['5 subnets deleted of 11', [...times(5, remove('aws_subnet')), ...times(6, keep('aws_vpc'))], 'high', []],
    ['49 subnets deleted of 200', [...times(49, remove('aws_subnet')), ...times(151, keep('aws_vpc'))], 'high', []],
    [
      '50 subnets deleted of 200',
      [...times(50, remove('aws_subnet')), ...times(150, keep('aws_vpc'))],
      'critical',
      ['R-BLAST-MASS'],
    ],
    ['all of 2 topics deleted', times(2, remove('aws_sns_topic')), 'high', ['R-BLAST-ALL']],
    ['the only topic deleted', times(1, remove('aws_sns_topic')), 'medium', []],
    ['all of 2 helpers deleted', times(2, remove('null_resource')), 'low', []],
    ['12 links deleted of 13', [...times(12, remove('aws_route_table_association')), keep('aws_vpc')()], 'medium', []],
    ['2 public buckets', times(2, publicBucket), 'high', []],
    ['3 public buckets', times(3, publicBucket), 'critical', ['R-BLAST-WEAKEN']],
  ])('with %s is rated by its changes and escalations', (_, changes, level, escalations) => {
    const result = judgePlan(changes);

    expect(result.level).toBe(level);
    expect(ruleIds(result.escalations)).toEqual(escalations);
  });

  test.each([
    [{ errored: true }, 'medium', ['R-PLAN-ERRORED']],
    [{ errored: true, complete: false }, 'medium', ['R-PLAN-ERRORED']],
    [{ deferred_count: 2, complete: false }, 'medium', ['R-PLAN-DEFERRED']],
    [{ complete: false }, 'low', ['R-PLAN-PARTIAL']],
    [{ complete: null, errored: null }, 'none', []],
  ])('without changes and with %j is %s', (header, level, escalations) => {
    const result = judgePlan([], header);

    expect(result.level).toBe(level);
    expect(ruleIds(result.escalations)).toEqual(escalations);
  });

  test('has an escalation with its count unless a single change has the same level', () => {
    const { escalations } = judgePlan(times(12, remove('aws_sns_topic')).concat(keep('aws_vpc')()));

    expect(escalations).toMatchObject([
      { kind: 'blast', message: 'Escalated to high because the plan destroys or replaces 12 resources.' },
    ]);
    expect(judgePlan([...times(12, remove('aws_sns_topic')), remove('aws_db_instance')()]).escalations).toEqual([]);
  });

  test('does not count data sources and deposed objects', () => {
    const leftover = makeChange('aws_lb', 'delete', [{}, null], { deposed: 'abcd1234' });
    const read = makeChange('aws_ami', 'read', [null, {}], { mode: 'data' });

    expect(judgePlan([...times(2, remove('aws_sns_topic')), leftover, read]).level).toBe('high');
    expect(judgePlan([leftover, leftover]).level).toBe('low');
  });
});

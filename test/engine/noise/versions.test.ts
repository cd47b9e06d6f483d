import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import { planText } from '../analysis/plans.ts';

const API = { name: 'api', image: 'registry.example.com/api:9', environment: [{ name: 'A', value: '1' }] };

function replace(type: string, before: JsonObject, after: JsonObject) {
  const change = {
    actions: ['delete', 'create'],
    before: { ...before, revision: 4 },
    after,
    after_unknown: { revision: true, arn: true },
    replace_paths: Object.keys(before).map((path) => [path]),
  };
  const entry = {
    address: `${type}.this`,
    mode: 'managed',
    type,
    name: 'this',
    provider_name: 'hashicorp/aws',
    change,
  };
  return analyzePlan(planText({ resource_changes: [entry] })).changes[0]!;
}

function define(...containers: JsonObject[]): JsonObject {
  return { container_definitions: JSON.stringify(containers) };
}

describe('the replacement of a version', () => {
  test('by an equal one is noise, and keeps its level because a deployment follows', () => {
    const filled = { ...API, essential: true, cpu: 0, mountPoints: [], volumesFrom: [] };

    const { noise, risk } = replace('aws_ecs_task_definition', define(API), define(filled));

    expect(noise).toMatchObject({ classification: 'likely_benign', overridden: false });
    expect(risk.level).toBe('low');
  });

  test.each([
    ['another image', define({ ...API, image: 'registry.example.com/api:10' })],
    ['another value', define({ ...API, environment: [{ name: 'A', value: '2' }] })],
    ['one container more', define(API, { ...API, name: 'proxy' })],
  ])('is no noise with %s', (_, after) => {
    expect(replace('aws_ecs_task_definition', define(API), after).noise.classification).toBe('novel');
  });

  test('is no noise if the object is no version, but is destroyed', () => {
    const { noise } = replace('aws_db_parameter_group', { family: 'postgres16' }, { family: 'POSTGRES16' });

    expect(noise.classification).toBe('novel');
  });
});

import { describe, expect, test } from '@jest/globals';
import type { DriftReport, LiveResource } from '../../../engine/drift/index.ts';
import type { JsonObject } from '../../../engine/index.ts';
import { AZURE, compute, GCP, live, reading } from './compute.ts';
import { AWS_PAIRS } from './pairs/aws.ts';
import { AZURE_PAIRS } from './pairs/azure.ts';
import { GCP_PAIRS } from './pairs/gcp.ts';
import type { Pair } from './pairs/pair.ts';
import { writeAt } from './synthetic.ts';

const PAIRS = [...AWS_PAIRS, ...GCP_PAIRS, ...AZURE_PAIRS];

function toLive({ cloud_type, id, held }: Pair, properties: JsonObject): LiveResource {
  const { arn } = held;
  const is_aws = cloud_type.startsWith('AWS::');
  return live(cloud_type, id, {
    properties,
    region: is_aws ? 'eu-west-1' : null,
    aliases: is_aws && typeof arn === 'string' ? [arn] : [],
  });
}

function compare(pair: Pair, properties: JsonObject): DriftReport {
  const { type, held, cloud_type } = pair;
  const account = type.startsWith('aws_') ? reading(cloud_type) : type.startsWith('google_') ? GCP : AZURE;
  return compute(account, [{ type, attributes: held }], [toLive(pair, properties)]);
}

test('the table has at least 120 types, and 25 of each cloud', () => {
  const types = new Set(PAIRS.map(({ type }) => type));

  expect(types.size).toBeGreaterThanOrEqual(120);
  for (const pairs of [AWS_PAIRS, GCP_PAIRS, AZURE_PAIRS]) expect(pairs.length).toBeGreaterThanOrEqual(25);
});

describe.each(PAIRS.map((pair) => [pair.type, pair] as const))('%s', (_, pair) => {
  test('a clean pair has no difference, and attributes of it are compared', () => {
    const report = compare(pair, pair.properties);

    expect({ matched: report.matched_count, items: report.items.map(({ attributes }) => attributes) }).toEqual({
      matched: 1,
      items: [],
    });
    expect(report.comparison.compared).toBeGreaterThan(0);
  });

  test.each(pair.changes)('a change of %s to %j is named alone', (path, value, argument) => {
    const properties = structuredClone(pair.properties);
    writeAt(properties, path, structuredClone(value));

    const { items } = compare(pair, properties);

    expect(items.map(({ drift_type, resource_address }) => [drift_type, resource_address])).toEqual([
      ['changed', `${pair.type}.this`],
    ]);
    const named = items.flatMap(({ attributes }) => attributes.map((diff) => diff.path.split(/[.[]/)[0]));
    expect([...new Set(named)]).toEqual([argument]);
  });
});

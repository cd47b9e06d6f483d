import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { normalizeChange } from '../../engine/changes/normalize.ts';
import { PathNode } from '../../engine/changes/path-node.ts';
import { analyzePlan } from '../../engine/index.ts';
import type { JsonValue } from '../../engine/model/result.ts';
import { findAttributeReasons } from '../../engine/risk/attributes/index.ts';
import { NO_OWNERSHIP } from '../../engine/risk/destinations/index.ts';
import { NO_LISTS } from '../../engine/risk/ordering/lists.ts';
import { NO_NEIGHBORS } from '../../engine/risk/relations/neighbors.ts';
import { NO_POWERS } from '../../engine/risk/relations/powers.ts';
import { NO_SELECTORS } from '../../engine/risk/relations/tags.ts';

const FACTS = {
  accounts: new Set<string>(),
  destroyed: new Set<string>(),
  created: new Set<string>(),
  owned: NO_OWNERSHIP,
  ordered: NO_LISTS,
  neighbors: NO_NEIGHBORS,
  powers: NO_POWERS,
  selectors: NO_SELECTORS,
  publishes: false,
  unguarded: false,
};

function entry(type: string, before: JsonValue, after: JsonValue, more: object = {}) {
  return { address: `${type}.a`, type, name: 'a', change: { actions: ['update'], before, after, ...more } };
}

function planWith(resource: object, drift: object[] = []): string {
  return JSON.stringify({ format_version: '1.2', resource_changes: [resource], resource_drift: drift });
}

function items<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function nest(depth: number, inner: JsonValue): JsonValue {
  let value = inner;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? { k: value } : [value];
  return value;
}

/** Number of reads of each diff in a change with that many items. */
function countDiffReads(type: string, count: number, side: (i: number) => JsonValue): number {
  const change = normalizeChange(entry(type, { secrets: [], rule: [] }, side(count) as JsonValue));
  let reads = 0;
  change.diffs = new Proxy(change.diffs, {
    get(list, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(list, name, receiver);
    },
  });
  findAttributeReasons(change, FACTS);
  return reads;
}

describe('the diffs of one change are read only a few times, whatever rules match', () => {
  test.each<[string, string, (count: number) => JsonValue]>([
    ['texts named like secrets', 'aws_instance', (count) => ({ secrets: items(count, (i) => `hunter${i}`) })],
    [
      'containers that run privileged',
      'kubernetes_pod',
      (count) => ({ spec: [{ container: items(count, () => ({ security_context: [{ privileged: true }] })) }] }),
    ],
    [
      'groups that open to the internet',
      'aws_security_group',
      (count) => ({
        ingress: items(count, (i) => ({ protocol: 'tcp', from_port: i, to_port: i, cidr_blocks: ['0.0.0.0/0'] })),
      }),
    ],
  ])('for %s', (_what, type, side) => {
    const [few, many] = [countDiffReads(type, 200, side), countDiffReads(type, 400, side)];

    expect(many).toBeLessThan(2.2 * few);
  });
});

describe('paths are rendered only for listed attributes', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function countPaths(count: number): number {
    const written = jest.spyOn(PathNode.prototype, 'segments', 'get');
    const [was, is] = [
      nest(
        150,
        items(count, () => 1),
      ),
      nest(
        150,
        items(count, () => 2),
      ),
    ];
    analyzePlan(
      planWith(entry('aws_instance', { a: was }, { a: is }), [entry('aws_instance', { a: is }, { a: was })]),
      {
        noise_key: Buffer.alloc(32, 7),
      },
    );
    const { length } = written.mock.calls;
    written.mockRestore();
    return length;
  }

  test('for deeply nested leaves', () => {
    expect(countPaths(4000)).toBe(countPaths(2000));
  });
});

test('members under a very long key are one difference', () => {
  const key = 'k'.repeat(100_000);
  const members = Object.fromEntries(items(200, (i) => [`m${i}`, i]));

  const [change] = analyzePlan(planWith(entry('aws_instance', {}, { tags: { [key]: members } }))).changes;

  expect(change?.attributes_total).toBe(1);
});

test('a plaintext key is found inside a value that is one difference', () => {
  const members = { [`k${'x'.repeat(5000)}`]: { a: { b: 'AKIAIOSFODNN7EXAMPLE' } } };

  const [change] = analyzePlan(planWith(entry('aws_instance', {}, { tags: members }))).changes;

  expect(change?.risk.reasons.map(({ rule_id }) => rule_id)).toContain('R-SEC-SECRETPLAIN');
});

test('more noise patterns than a call accepts arguments are counted', () => {
  const [was, is] = [items(130_000, (i) => `a${i % 7}`), items(130_000, (i) => `A${i % 7}`)];

  const { summary } = analyzePlan(planWith(entry('terraform_example', { names: was }, { names: is })));

  expect(summary.update).toBe(1);
});

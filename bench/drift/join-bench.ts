import { createDrift, type LiveResource } from '../../engine/drift/index.ts';
import type { StateInstance, StateValues } from '../../engine/state/index.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureThreadMs } from '../lib/time.ts';
import { BENCH_ACCOUNT } from './account-generator.ts';

const SMALL = 10_000;
const LARGE = 100_000;
const RUNS = 3;
const MOST_OF_MAP = 3;
/** Ten times as many resources. */
const MOST_OF_SMALL = 20;

/** D2: the join alone, beside a join of the same resources by one Map, and its growth by ten times as many resources. */
export async function benchDriftJoin(): Promise<BenchRow[]> {
  const [small, large] = [measure(SMALL), measure(LARGE)];
  return [
    toRatioRow({
      id: 'D2',
      what: `join of ${LARGE} by ${LARGE} resources`,
      ratio: large.join / large.map,
      limit: MOST_OF_MAP,
      comparison: 'one Map of IDs',
      note: `${large.join.toFixed(0)} ms against ${large.map.toFixed(0)} ms`,
    }),
    toRatioRow({
      id: 'D2',
      what: `join of ${LARGE} by ${LARGE} resources`,
      ratio: large.join / small.join,
      limit: MOST_OF_SMALL,
      comparison: `the time for ${SMALL} by ${SMALL}`,
    }),
  ];
}

function measure(size: number) {
  const held = Array.from({ length: size }, (_, i) => toHeld(i));
  const found = Array.from({ length: size }, (_, i) => toLive(i));
  const runs = Array.from({ length: RUNS }, () => ({
    join: measureThreadMs(() => joinByRules(held, found)).ms,
    map: measureThreadMs(() => joinByMap(held, found)).ms,
  }));
  return { join: computeMedian(runs.map(({ join }) => join)), map: computeMedian(runs.map(({ map }) => map)) };
}

function joinByRules(held: readonly [StateInstance, StateValues][], found: readonly LiveResource[]): number {
  const computation = createDrift({ account: BENCH_ACCOUNT, now: '2026-01-01T00:00:00.000Z' });
  for (const [instance, values] of held) computation.addInstance(instance, values);
  for (const resource of found) computation.addLive(resource);
  return computation.end().matched_count;
}

function joinByMap(held: readonly [StateInstance, StateValues][], found: readonly LiveResource[]): number {
  const matched: string[] = [];
  const index = new Map(held.map(([instance, { attributes }]) => [attributes['id'], instance]));
  for (const { provider_resource_id } of found) {
    const instance = index.get(provider_resource_id);
    if (instance !== undefined) matched.push(instance.address);
  }
  return matched.length;
}

function toId(i: number): string {
  return `vol-${String(i).padStart(17, '0')}`;
}

function toHeld(i: number): [StateInstance, StateValues] {
  const id = toId(i);
  const facts = { module_address: null, mode: 'managed', index: null, deposed: null, tainted: false } as const;
  const instance: StateInstance = {
    ...facts,
    ...{ address: `aws_ebs_volume.r["${i}"]`, type: 'aws_ebs_volume', name: 'r', provider: 'aws' },
    ...{ provider_name: 'hashicorp/aws', schema_version: 1, dependencies: [], sensitive_count: 0 },
  };
  return [instance, { identifiers: { id }, attributes: { id }, identity: null }];
}

function toLive(i: number): LiveResource {
  return {
    provider_type: 'AWS::EC2::Volume',
    provider_resource_id: toId(i),
    aliases: [],
    region: 'eu-west-1',
    name: null,
    tags: {},
    properties: null,
    is_complete: false,
  };
}

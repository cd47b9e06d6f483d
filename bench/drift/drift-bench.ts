import { createDrift, type DriftReport } from '../../engine/drift/index.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureThreadMs } from '../lib/time.ts';
import { BENCH_ACCOUNT, generatePairs, type Pair, toHeld } from './account-generator.ts';

const SMALL = 5_000;
const LARGE = 50_000;
const RUNS = 3;
/** Everything after reading: joining, comparing each argument, judging and presenting what differs. */
const MOST_OF_PARSE = 12;
/** Ten times as many resources. */
const MOST_OF_SMALL = 14;

/** D1: a report on 50,000 resources of states and 50,000 live ones, beside reading the same data. */
export function benchDrift(): Promise<BenchRow[]> {
  return Promise.resolve(measureRows());
}

function measureRows(): BenchRow[] {
  const [small, large] = [SMALL, LARGE].map((count) => JSON.stringify(generatePairs(count))) as [string, string];
  const parse = computeMedian(repeat(() => measureThreadMs(() => JSON.parse(large)).ms));
  const of_small = computeMedian(repeat(() => measureReport(small).ms));
  const runs = repeat(() => measureReport(large));
  const of_large = computeMedian(runs.map(({ ms }) => ms));
  const { matched_count, changed_count, missing_count, extra_count } = runs[0]!.report;
  const found = `${matched_count} matched, ${changed_count} changed, ${missing_count} missing, ${extra_count} new`;
  return [
    toRatioRow({
      id: 'D1',
      what: `drift of ${LARGE} by ${LARGE} resources`,
      ratio: of_large / parse,
      limit: MOST_OF_PARSE,
      comparison: 'JSON.parse of the same data',
      note: `${of_large.toFixed(0)} ms, ${found}`,
    }),
    toRatioRow({
      id: 'D1',
      what: `drift of ${LARGE} by ${LARGE} resources`,
      ratio: of_large / of_small,
      limit: MOST_OF_SMALL,
      comparison: `the time for ${SMALL} by ${SMALL}`,
    }),
  ];
}

function repeat<T>(run: () => T): T[] {
  return Array.from({ length: RUNS }, run);
}

function measureReport(text: string): { ms: number; report: DriftReport } {
  const pairs = JSON.parse(text) as Pair[];
  const held = pairs.flatMap((pair) => toHeld(pair) ?? []);
  const found = pairs.flatMap(({ live }) => live ?? []);
  const { ms, result } = measureThreadMs(() => {
    const computation = createDrift({ account: BENCH_ACCOUNT, now: '2026-01-01T00:00:00.000Z' });
    for (const { instance, values } of held) computation.addInstance(instance, values);
    for (const resource of found) computation.addLive(resource);
    return computation.end();
  });
  return { ms, report: result };
}

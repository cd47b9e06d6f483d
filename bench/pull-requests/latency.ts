import type { BenchRow } from '../lib/row.ts';
import { computeMedian, computeQuantile } from '../lib/statistics.ts';
import { generatePlanText } from '../plan/plan-generator.ts';
import { openHarness, type PullRequestHarness, until, type WiredRepo } from './harness.ts';

const CHANGES = 1_000;
const SOURCES = 40;
/** A source may send this many updates at once before the service slows it down. */
const PER_SOURCE = 3;
const WARM_UP = 10;
const P50_MS = 250;
const P99_MS = 1_000;

/** W1: time from the delivery of a finished run to the comment, with the whole service in one process and no model. */
export async function benchPullRequests(): Promise<BenchRow[]> {
  const harness = await openHarness();
  try {
    const plan = generatePlanText(CHANGES);
    const times: number[] = [];
    for (let n = 0; n < SOURCES; n += 1) {
      const wired = await harness.wire(`bench-${n}`);
      for (let index = 0; index < PER_SOURCE; index += 1) times.push(await measureCommentMs(harness, wired, plan));
    }
    return [toRow(times.slice(WARM_UP))];
  } finally {
    await harness.close();
  }
}

async function measureCommentMs(harness: PullRequestHarness, wired: WiredRepo, plan: string): Promise<number> {
  const { number, commits } = harness.github.openPullRequest(wired.repo);
  const delivery = await harness.run(wired, commits[0] ?? '', plan);
  const begun = performance.now();
  await harness.post(wired, delivery);
  await until('a comment', 30_000, () => harness.github.comments(wired.repo, number).length > 0);
  return performance.now() - begun;
}

function toRow(times: number[]): BenchRow {
  const [p50, p99] = [computeMedian(times), computeQuantile(times, 0.99)];
  return {
    id: 'W1',
    what: `webhook → comment, a plan of ${CHANGES} changes, no model`,
    limit: P50_MS,
    measured: p50,
    unit: 'ms',
    goal: `≤ ${P50_MS} ms p50, ≤ ${P99_MS} ms p99`,
    passed: p50 <= P50_MS && p99 <= P99_MS,
    note: `p99 ${p99.toFixed(0)} ms of ${times.length}`,
  };
}

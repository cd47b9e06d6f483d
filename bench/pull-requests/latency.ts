import { planText } from '../plan-generator.ts';
import { median } from '../process.ts';
import type { BenchRow } from '../row.ts';
import { openStage, type Stage, until, type WiredRepo } from './stage.ts';

const CHANGES = 1_000;
const SOURCES = 40;
/** A source may write at once so often that three pull requests come one after the other unpaced. */
const PER_SOURCE = 3;
const WARM_UP = 10;
const P50_MS = 250;
const P99_MS = 1_000;

/** W1: from the delivery of a finished run to the comment, the whole service in one process, no model. */
export async function benchPullRequests(): Promise<BenchRow[]> {
  const stage = await openStage();
  try {
    const plan = planText(CHANGES);
    const times: number[] = [];
    for (let n = 0; n < SOURCES; n += 1) {
      const wired = await stage.wire(`bench-${n}`);
      for (let of = 0; of < PER_SOURCE; of += 1) times.push(await commentMs(stage, wired, plan));
    }
    return [rowOf(times.slice(WARM_UP))];
  } finally {
    await stage.close();
  }
}

async function commentMs(stage: Stage, wired: WiredRepo, plan: string): Promise<number> {
  const { number, commits } = stage.github.openPullRequest(wired.repo);
  const delivery = await stage.run(wired, commits[0] ?? '', plan);
  const begun = performance.now();
  await stage.post(wired, delivery);
  await until('a comment', 30_000, () => stage.github.comments(wired.repo, number).length > 0);
  return performance.now() - begun;
}

function rowOf(times: number[]): BenchRow {
  const sorted = [...times].sort((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
  const p50 = median(times);
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

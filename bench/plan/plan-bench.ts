import { analyzePlan, PlanError } from '../../engine/index.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { measureCpuMs } from '../lib/time.ts';
import { generatePlanText } from './plan-generator.ts';
import { GROWING_PLANS, HOSTILE_BYTES, type HostilePlan, NAMED_PLANS } from './plan-hostile.ts';
import { benchPlanMemory } from './plan-memory.ts';

/** About 6.7 KB per resource: the 5 MB and 50 MB of the goals. */
const RESOURCES_5_MB = 750;
const RESOURCES_50_MB = 7500;
/** Rounds until V8 has compiled the code; its compiler threads count as CPU time of this process. */
const WARM_UP = 5;
/** Several runs in a row, so that each side pays for its own garbage collection. */
const IN_A_ROW = 5;

/** P1 to P6: the engine compared with JSON.parse of the same text. */
export async function benchPlan(): Promise<BenchRow[]> {
  return [...benchSpeed(), ...(await benchPlanMemory()), ...benchHostile()];
}

function benchSpeed(): BenchRow[] {
  const small = measurePlan(RESOURCES_5_MB, 15, WARM_UP, IN_A_ROW);
  const large = measurePlan(RESOURCES_50_MB, 7, 1, 1);
  const tiny = measureTiny();
  return [
    toRatioRow({
      id: 'P1',
      what: `plan of ${small.size}`,
      ratio: small.ratio,
      limit: 2,
      comparison: 'JSON.parse',
      note: `${small.ours.toFixed(1)} ms`,
    }),
    toRatioRow({
      id: 'P2',
      what: `plan of ${large.size}`,
      ratio: large.ratio,
      limit: 1.5,
      comparison: 'JSON.parse',
      note: `${large.ours.toFixed(0)} ms`,
    }),
    toRatioRow({
      id: 'P2',
      what: 'ten times the plan',
      ratio: large.best / small.best,
      limit: 12,
      comparison: 'the time of one',
    }),
    {
      id: 'P3',
      what: `plan of ${tiny.size}`,
      limit: 1,
      measured: tiny.ours,
      unit: 'ms',
      goal: '≤ 1 ms CPU',
      passed: tiny.ours <= 1,
      note: `${tiny.ratio.toFixed(1)} × JSON.parse`,
    },
  ];
}

interface Measured {
  size: string;
  best: number;
  ours: number;
  ratio: number;
}

function measurePlan(resources: number, rounds: number, warmUp: number, inARow: number): Measured {
  const text = generatePlanText(resources);
  const bytes = Buffer.from(text);
  const { ours, theirs, best } = alternate(
    rounds,
    () => repeat(inARow, () => analyzePlan(bytes)),
    () => repeat(inARow, () => JSON.parse(text)),
    warmUp,
  );
  return { size: formatSize(bytes), best: best / inARow, ours: ours / inARow, ratio: ours / theirs };
}

/** A hundred plans, because one is too fast to measure. */
function measureTiny(): Measured {
  const text = generatePlanText(1);
  const bytes = Buffer.from(text);
  const { ours, theirs } = alternate(
    15,
    () => repeat(100, () => analyzePlan(bytes)),
    () => repeat(100, () => JSON.parse(text)),
  );
  return { size: formatSize(bytes), best: ours / 100, ours: ours / 100, ratio: ours / theirs };
}

function benchHostile(): BenchRow[] {
  return [...NAMED_PLANS.map(benchNamed), ...GROWING_PLANS.map(benchGrowth)];
}

/**
 * JSON.parse copies one long text at memory speed, so such a plan is compared with an ordinary plan of the same size.
 */
function benchNamed({ what, build }: HostilePlan): BenchRow {
  const text = build(HOSTILE_BYTES);
  const bytes = Buffer.from(text);
  const ordinary = generatePlanText(Math.round(bytes.length / 6700));
  const { ours, theirs } = alternate(
    7,
    () => analyzeOrRefuse(bytes),
    () => JSON.parse(text),
  );
  const ordinary_ms = alternate(
    7,
    () => JSON.parse(ordinary),
    () => JSON.parse(ordinary),
  ).ours;
  const ratio = ours / Math.max(theirs, ordinary_ms);
  return toRatioRow({
    id: 'P6',
    what,
    ratio,
    limit: 5,
    comparison: 'JSON.parse of it or of an ordinary plan of its size',
    note: `${ours.toFixed(0)} ms`,
  });
}

function benchGrowth({ what, build }: HostilePlan): BenchRow {
  const whole = Buffer.from(build(HOSTILE_BYTES));
  const half = Buffer.from(build(HOSTILE_BYTES / 2));
  const { ours, theirs } = alternate(
    5,
    () => analyzeOrRefuse(whole),
    () => analyzeOrRefuse(half),
  );
  return toRatioRow({
    id: 'P6',
    what,
    ratio: ours / theirs,
    limit: 3,
    comparison: 'the time of half of it',
    note: `${ours.toFixed(0)} ms`,
  });
}

/** Limits of the HTTP API, which plans of this size come from. */
const HTTP_LIMITS = { max_resource_changes: 20_000 };

function analyzeOrRefuse(bytes: Buffer): void {
  try {
    analyzePlan(bytes, { limits: HTTP_LIMITS });
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
  }
}

/**
 * CPU time in ms of both sides, measured alternately after a warm-up: the medians, and our minimum to compare two
 * sizes.
 */
interface Timing {
  ours: number;
  theirs: number;
  best: number;
}

function alternate(rounds: number, run: () => unknown, baseline: () => unknown, warmUp = 1): Timing {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const ourTime = measureCpuMs(run);
    const theirTime = measureCpuMs(baseline);
    if (round < 0) continue;
    ours.push(ourTime);
    theirs.push(theirTime);
  }
  return { ours: computeMedian(ours), theirs: computeMedian(theirs), best: Math.min(...ours) };
}

function repeat(times: number, run: () => unknown): void {
  for (let i = 0; i < times; i += 1) run();
}

function formatSize(bytes: Buffer): string {
  return bytes.length < 100_000 ? `${(bytes.length / 1000).toFixed(1)} KB` : `${(bytes.length / 1e6).toFixed(1)} MB`;
}

import { computeQuantile } from '../lib/statistics.ts';
import type { PhaseTimes, WellBehavedReport } from './clients/well-behaved.ts';
import { BASELINE, MEMORY_LIMIT, PHASES, RECOVERY_LIMIT_MS, SLOWDOWN_LIMIT } from './phases.ts';

const MB = 1024 * 1024;

export interface PhaseFigures {
  name: string;
  /** CPU time of the service divided by elapsed time: 1 is one processor. */
  cpu_share: number;
  /** Memory of the service in bytes, at the start of the phase and at its peak. */
  before: number;
  peak: number;
  recovery_ms?: number;
}

interface Measured {
  measured: PhaseFigures[];
  report: WellBehavedReport;
  alive: boolean;
  /** Memory of the service in bytes. */
  idle: number;
  /** Memory of PostgreSQL at the end. */
  postgres: number;
}

/** Prints a line for each phase and for each exceeded limit. @returns whether no limit was exceeded */
export function printFigures({ measured, report, alive, idle, postgres }: Measured): boolean {
  const baseline = computeQuantiles(collectAnswerTimes(report.phases[BASELINE]));
  const missed: string[] = [];
  const rows = measured.map((figures) => {
    const times = report.phases[figures.name];
    missed.push(...findMissedLimits(figures, times, { baseline_p99: baseline.p99, idle }));
    return toRow(figures, times, baseline.p99, idle);
  });
  console.table(rows);
  const attacked = PHASES.flatMap(({ name }) => collectAnswerTimes(report.phases[name]));
  const all = computeQuantiles(attacked);
  if (attacked.length > 0 && all.p99 > SLOWDOWN_LIMIT * baseline.p99)
    missed.push(`all attacks together: p99 ${all.p99} ms, ${(all.p99 / baseline.p99).toFixed(1)} × quiet`);
  if (report.lost_jobs.length > 0) missed.push(`${report.lost_jobs.length} accepted analyses without a result`);
  if (report.lost_deliveries.length > 0) missed.push(`${report.lost_deliveries.length} accepted deliveries not kept`);
  if (!alive) missed.push('a process of the service ended');
  console.table({
    'accepted analyses': report.accepted_jobs,
    'accepted deliveries': report.accepted_deliveries,
    'p99 under attack, ms': all.p99,
    'memory of PostgreSQL, MB': Math.round(postgres / MB),
  });
  for (const one of missed) console.log(`missed: ${one}`);
  return missed.length === 0;
}

function toRow(figures: PhaseFigures, times: PhaseTimes | undefined, baseline_p99: number, idle: number) {
  const { p50, p99 } = computeQuantiles(collectAnswerTimes(times));
  return {
    phase: figures.name,
    answers: collectAnswerTimes(times).length,
    refused: times?.refused.length ?? 0,
    'p50 ms': p50,
    'p99 ms': p99,
    '× quiet': Number((p99 / baseline_p99).toFixed(1)),
    'submit p99': computeQuantiles(times?.submits ?? []).p99,
    'analysis p99': computeQuantiles(times?.analyses ?? []).p99,
    'MB over idle': Math.round((figures.peak - idle) / MB),
    'MB added': Math.round((figures.peak - figures.before) / MB),
    CPU: Number(figures.cpu_share.toFixed(2)),
    'recovery ms': Math.round(figures.recovery_ms ?? 0),
  };
}

function findMissedLimits(
  { name, peak, before, recovery_ms = 0 }: PhaseFigures,
  times: PhaseTimes | undefined,
  { baseline_p99, idle }: { baseline_p99: number; idle: number },
): string[] {
  const phase = PHASES.find((one) => one.name === name);
  if (phase === undefined) return [];
  const { p99 } = computeQuantiles(collectAnswerTimes(times));
  const submit_p99 = computeQuantiles(times?.submits ?? []).p99;
  const limits: [boolean, string][] = [
    [p99 > SLOWDOWN_LIMIT * baseline_p99, `p99 ${p99} ms, ${(p99 / baseline_p99).toFixed(1)} × quiet`],
    [peak - idle > MEMORY_LIMIT, `${Math.round((peak - idle) / MB)} MB over idle`],
    [peak - before > (phase.most_added ?? Infinity), `${Math.round((peak - before) / MB)} MB added`],
    [submit_p99 > (phase.submit_p99 ?? Infinity), `submits accepted after ${submit_p99} ms`],
    [recovery_ms > RECOVERY_LIMIT_MS, `an analysis takes ${Math.round(recovery_ms)} ms after it`],
    [(times?.refused.length ?? 0) > 0, `refused to others: ${[...new Set(times?.refused)].slice(0, 5).join(', ')}`],
  ];
  return limits.filter(([is_missed]) => is_missed).map(([, what]) => `${name}: ${what}`);
}

function collectAnswerTimes(times: PhaseTimes | undefined): number[] {
  return times === undefined ? [] : [...times.reads, ...times.submits];
}

function computeQuantiles(times: readonly number[]): { p50: number; p99: number } {
  return { p50: Math.round(computeQuantile(times, 0.5)), p99: Math.round(computeQuantile(times, 0.99)) };
}

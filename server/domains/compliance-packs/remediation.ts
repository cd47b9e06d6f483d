import type { Finding, Level, Period, RemediationRow } from './types.ts';

const DAY_MS = 86_400_000;
/** Durations are counted in tenths of an hour, so that memory does not grow with the number of findings. */
const TENTH_MS = 360_000;

/** Days from the first detection of a difference until it should be resolved. */
export const TARGET_DAYS = { critical: 1, high: 7, medium: 30, low: 90 } as const;
type TargetLevel = keyof typeof TARGET_DAYS;
const TARGET_LEVELS = Object.keys(TARGET_DAYS) as TargetLevel[];

interface Counts extends Pick<RemediationRow, 'opened' | 'resolved' | 'resolved_in_target' | 'open_breached'> {
  /** Number of resolved findings by duration in tenths of an hour. */
  durations: Map<number, number>;
}

/**
 * Counts how fast findings of each level were resolved. Suppressed findings and those without risk have no target.
 *
 * @see docs/compliance-packs.md, remediation_sla.csv
 */
export function createRemediation({ period_start, period_end }: Period) {
  const counts = new Map(TARGET_LEVELS.map((level) => [level, emptyCounts()]));

  function add({ risk_level, status, first_detected_at, resolved_at }: Finding): void {
    if (status === 'suppressed' || !hasTarget(risk_level)) return;
    const count = counts.get(risk_level) as Counts;
    const target_ms = TARGET_DAYS[risk_level] * DAY_MS;
    if (first_detected_at >= period_start) count.opened += 1;
    const open_ms = (resolved_at ?? period_end).getTime() - first_detected_at.getTime();
    if (resolved_at === null) {
      if (open_ms > target_ms) count.open_breached += 1;
      return;
    }
    count.resolved += 1;
    if (open_ms <= target_ms) count.resolved_in_target += 1;
    const tenths = Math.round(open_ms / TENTH_MS);
    count.durations.set(tenths, (count.durations.get(tenths) ?? 0) + 1);
  }

  function rows(): RemediationRow[] {
    return TARGET_LEVELS.map((risk_level) => {
      const { opened, resolved, resolved_in_target, open_breached, durations } = counts.get(risk_level) as Counts;
      return {
        risk_level,
        target_days: TARGET_DAYS[risk_level],
        opened,
        resolved,
        resolved_in_target,
        breached: resolved - resolved_in_target,
        open_breached,
        median_hours: resolved === 0 ? null : medianHours(durations, resolved),
      };
    });
  }

  return { add, rows };
}

function emptyCounts(): Counts {
  return { opened: 0, resolved: 0, resolved_in_target: 0, open_breached: 0, durations: new Map() };
}

function hasTarget(level: Level): level is TargetLevel {
  return level in TARGET_DAYS;
}

/** The middle duration; of two middle ones their mean, rounded to a tenth. */
function medianHours(durations: ReadonlyMap<number, number>, total: number): number {
  const sorted = [...durations].sort(([a], [b]) => a - b);
  const low = durationAt(sorted, Math.floor((total - 1) / 2));
  const high = durationAt(sorted, Math.floor(total / 2));
  return Math.round((low + high) / 2) / 10;
}

function durationAt(sorted: readonly (readonly [number, number])[], position: number): number {
  let seen = 0;
  for (const [tenths, count] of sorted) {
    seen += count;
    if (seen > position) return tenths;
  }
  return 0;
}

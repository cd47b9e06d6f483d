import { isAtLeast } from './levels.ts';
import type { Change, PlanAnalysis, Summary } from './result.ts';

/** Number of changes per action, without data sources. */
export type ActionCounts = Pick<
  Summary,
  'total' | 'create' | 'update' | 'replace' | 'delete' | 'forget' | 'import' | 'move'
>;

const DESTRUCTIVE = [
  ['delete', 'to delete'],
  ['replace', 'to replace'],
] as const;
const OTHERS = [
  ['update', 'to update'],
  ['create', 'to create'],
  ['forget', 'to forget'],
  ['import', 'to import'],
  ['move', 'to move'],
] as const;

/** Formatted counts without zeros; the numbers of both lists add up to the total. */
export interface FormattedCounts {
  /** `2 to delete`, `1 to replace`. */
  destructive: string[];
  /** `4 to update`. */
  others: string[];
}

export function formatActionCounts(counts: ActionCounts): FormattedCounts {
  const known = [...DESTRUCTIVE, ...OTHERS].reduce((sum, [action]) => sum + counts[action], 0);
  return {
    destructive: formatNonZero(DESTRUCTIVE.map(([action, label]) => [counts[action], label])),
    others: formatNonZero([
      ...OTHERS.map(([action, label]): [number, string] => [counts[action], label]),
      [counts.total - known, 'of an unknown kind'],
    ]),
  };
}

/** Sum of the counts of several plans. */
export function addCounts(all: readonly ActionCounts[]): ActionCounts {
  const sum = { total: 0, create: 0, update: 0, replace: 0, delete: 0, forget: 0, import: 0, move: 0 };
  for (const counts of all) for (const key of Object.keys(sum) as (keyof ActionCounts)[]) sum[key] += counts[key];
  return sum;
}

function formatNonZero(counts: readonly (readonly [number, string])[]): string[] {
  return counts.filter(([count]) => count > 0).map(([count, label]) => `${count} ${label}`);
}

/** Number of changes of level medium or above, and of lower levels; both add up to the total. */
export function countByLevel({ total, by_risk }: Pick<Summary, 'total' | 'by_risk'>): { high: number; low: number } {
  const high = by_risk.medium + by_risk.high + by_risk.critical;
  return { high, low: total - high };
}

/** The changes of an analysis, each in exactly one list, riskiest first. */
export interface ChangeParts {
  /** Changes of level medium or above, and all deletes and replaces. */
  review: Change[];
  others: Change[];
  /** Noise below level medium. */
  noise: Change[];
  /** Noise that the analysis counts but does not list. */
  noise_unlisted: number;
  /** Deletes and replaces that the analysis counts but does not list. */
  destroyed_unlisted: number;
  /** Other changes that the analysis counts but does not list. */
  unlisted: number;
}

/** The counts of all lists add up to `changes_total`. */
export function partitionChanges({
  changes,
  changes_total,
  summary,
  plan_noise,
}: Omit<PlanAnalysis, 'narrative'>): ChangeParts {
  const parts: ChangeParts = {
    review: [],
    others: [],
    noise: [],
    noise_unlisted: 0,
    destroyed_unlisted: 0,
    unlisted: 0,
  };
  for (const change of changes) parts[pickPart(change)].push(change);
  const destroyed = changes.filter(isDestroyed).length;
  const left = changes_total - changes.length;
  parts.destroyed_unlisted = atMost(left, summary.delete + summary.replace - destroyed);
  parts.noise_unlisted = atMost(
    left - parts.destroyed_unlisted,
    plan_noise.known_benign - changes.filter(isNoise).length,
  );
  parts.unlisted = left - parts.destroyed_unlisted - parts.noise_unlisted;
  return parts;
}

export function isDestroyed({ action }: Pick<Change, 'action'>): boolean {
  return action === 'delete' || action === 'replace';
}

function atMost(max: number, count: number): number {
  return Math.min(max, Math.max(0, count));
}

/** Noise of level medium or above, or about a resource that scans say something about, is listed with the other changes. */
function pickPart(change: Change): 'review' | 'others' | 'noise' {
  if (isDestroyed(change) || isAtLeast(change.risk.level, 'medium')) return 'review';
  return isNoise(change) && !change.reverts_drift && change.live === undefined ? 'noise' : 'others';
}

/** openapi.yaml, PlanNoiseCounts.known_benign */
function isNoise({ noise }: Change): boolean {
  return noise.classification !== 'novel' && !noise.overridden;
}

/** `1 change`, `2 changes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

import type { ResourceChange } from '../changes/types.ts';
import { formatActionCounts } from '../model/counts.ts';
import type { RiskLevel, Summary } from '../model/result.ts';
import type { PlanHeader } from '../plan/types.ts';
import type { Judgement } from '../risk/types.ts';

type Tally = Pick<Summary, 'create' | 'update' | 'replace' | 'delete' | 'read' | 'forget' | 'import' | 'move'> & {
  no_op: number;
  unknown: number;
};

const MAX_HEADLINE = 160;

export interface SummaryInput {
  header: PlanHeader;
  /** The level of the whole plan. */
  level: RiskLevel;
  drift_detected: number;
}

/**
 * Counts a plan's changes one by one.
 *
 * Data sources count only under `read`. `destructive`, `by_risk`, `by_category` and `by_provider` count managed changes
 * with an effect; a change with several categories counts under each.
 *
 * @see openapi.yaml, Summary
 */
export function createSummary() {
  const tally: Tally = {
    create: 0,
    update: 0,
    replace: 0,
    delete: 0,
    read: 0,
    no_op: 0,
    forget: 0,
    import: 0,
    move: 0,
    unknown: 0,
  };
  const by_risk: Summary['by_risk'] = { none: 0, low: 0, medium: 0, high: 0, critical: 0 };
  const by_category = new Map<string, number>();
  const by_provider = new Map<string, number>();
  let total = 0;
  let destructive = 0;

  function observe(change: ResourceChange, judgement: Judgement): void {
    tally[toTallyKey(change)] += 1;
    if (change.action === 'no-op' || change.action === 'read' || change.mode === 'data') return;
    total += 1;
    if (destroys(change)) destructive += 1;
    by_risk[judgement.level] += 1;
    for (const category of judgement.categories) increment(by_category, category);
    increment(by_provider, change.provider);
  }

  function finish({ header, level, drift_detected }: SummaryInput): Summary {
    const { unknown: _, ...counts } = tally;
    const tallies = {
      total,
      ...counts,
      destructive,
      by_risk,
      by_category: Object.fromEntries(by_category),
      by_provider: Object.fromEntries(by_provider),
    };
    const plan = {
      terraform_version: header.terraform_version,
      format_version: header.format_version,
      plan_complete: header.complete,
      plan_errored: header.errored,
      plan_applyable: header.applyable,
      deferred: header.deferred_count,
      checks: header.checks,
      drift_detected,
    };
    return { ...tallies, headline: formatHeadline(level, { ...tallies, ...plan }), ...plan };
  }

  return { observe, finish };
}

function toTallyKey({ action, mode }: ResourceChange): keyof Tally {
  if (action === 'no-op') return 'no_op';
  return mode === 'data' ? 'read' : action;
}

/** A replacement that keeps the old object (`create`, `forget`) destroys nothing. */
function destroys(change: ResourceChange): boolean {
  return change.action === 'delete' || (change.action === 'replace' && change.actions.includes('delete'));
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** `critical: 1 to replace, 2 to update`: destructive actions first, without zeros; at most 160 characters. */
export function formatHeadline(level: RiskLevel, summary: Omit<Summary, 'headline'>): string {
  const { destructive, others } = formatActionCounts(summary);
  const counts = summary.total === 0 ? 'no changes' : [...destructive, ...others].join(', ');
  return `${level}: ${counts}${formatCaveat(summary)}`.slice(0, MAX_HEADLINE);
}

function formatCaveat({ plan_errored, plan_complete, deferred }: Omit<Summary, 'headline'>): string {
  if (plan_errored === true) return ' (the plan has errors)';
  return deferred > 0 || plan_complete === false ? ' (partial plan)' : '';
}

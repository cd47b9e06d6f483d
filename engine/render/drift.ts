import { describeSince } from '../model/live-texts.ts';
import type { Change, DriftReversal, PlanAnalysis } from '../model/result.ts';
import { type Cause, withNames } from './causes.ts';
import { rankedPaths, tagsLast } from './path-rank.ts';

/** openapi.yaml, AnalyzeResult.resource_drift */
const MAX_LISTED = 500;

/** Texts for a planned change that undoes an out-of-band change, and for the drifted resource itself. */
const REVERSAL_TEXTS: Record<DriftReversal['kind'], { clause: string; outcome: string }> = {
  revert: { clause: 'reverts a change made outside of IaC', outcome: 'this apply reverts it' },
  overwrite: { clause: 'overwrites a change made outside of IaC', outcome: 'this apply overwrites it' },
  recreate: { clause: 'recreates a resource deleted outside of IaC', outcome: 'this apply recreates it' },
};

/** A sentence without its final period, and the resource it is about. */
export interface ReversalText {
  sentence: string;
  address: string;
  paths: string[];
  /** Number of paths that are not listed. */
  more: number;
}

/** The planned changes that undo out-of-band changes, riskiest first. */
export function describeReversals(changes: readonly Change[], max_paths: number): ReversalText[] {
  return changes.flatMap(({ address, reverts_drift, live }) => {
    // Results of older engines lack this field.
    if (!reverts_drift) return [];
    const paths = tagsLast(reverts_drift.paths).slice(0, max_paths);
    const sentence = `This apply ${REVERSAL_TEXTS[reverts_drift.kind].clause}${formatSince(live)}`;
    return [{ sentence, address, paths, more: reverts_drift.paths_total - paths.length }];
  });
}

/** A sentence for the reversals that are not listed individually. */
export function formatMoreReversals(count: number): string {
  return `This apply undoes changes made outside of IaC to ${count} more resource${count === 1 ? '' : 's'}.`;
}

/** The reversal as a cause in the row of the change. */
export function describeReversalCause({ reverts_drift, live }: Change): Cause | null {
  if (!reverts_drift) return null;
  const { kind, paths, paths_total } = reverts_drift;
  return withNames(`${REVERSAL_TEXTS[kind].clause}${formatSince(live)}`, tagsLast(paths), paths_total);
}

/** Since when scans have seen the change that is undone. */
function formatSince(live: Change['live']): string {
  return live?.drift ? ` (${describeSince(live.drift, live.as_of)})` : '';
}

/** The drifted attributes of a resource and the effect of the plan on them. */
export function describeDriftCauses(drifted: Change, planned: Change | undefined): Cause[] {
  const causes: Cause[] = [];
  const paths = rankedPaths(drifted);
  if (drifted.action === 'update' && paths.length > 0) {
    causes.push(withNames('changed', paths, drifted.attributes_total));
  }
  if (planned?.reverts_drift) causes.push({ text: REVERSAL_TEXTS[planned.reverts_drift.kind].outcome, names: [] });
  else if (planned !== undefined) causes.push({ text: `planned: ${planned.action_label}`, names: [] });
  return causes;
}

/** Counts drifted resources and those that affect this plan, without a final period; empty without drift. */
export function driftSentence({ summary, resource_drift }: Pick<PlanAnalysis, 'summary' | 'resource_drift'>): string {
  const count = summary.drift_detected;
  if (count === 0) return '';
  const all = `${count} resource${count === 1 ? '' : 's'} changed outside of IaC since the last apply`;
  const listed = resource_drift.length;
  if (listed >= count) return all;
  if (listed === 0) return `${all}, ${count === 1 ? 'and does not affect' : 'none of which affects'} this plan`;
  const some = listed >= MAX_LISTED ? `at least ${listed}` : String(listed);
  return `${all}, ${some} of which ${listed === 1 ? 'affects' : 'affect'} this plan`;
}

import type { Change, DriftReversal, PlanAnalysis } from '../result.ts';
import { type Cause, withNames } from './causes.ts';
import { rankedPaths, tagsLast } from './path-rank.ts';

/** openapi.yaml, AnalyzeResult.resource_drift */
const MAX_LISTED = 500;

/** What a planned change does to one that was made outside of the code, and the same said of the drift. */
const REVERSAL_TEXTS: Record<DriftReversal['kind'], { clause: string; outcome: string }> = {
  revert: { clause: 'reverts a change made outside the code', outcome: 'this apply reverts it' },
  overwrite: { clause: 'overwrites a change made outside the code', outcome: 'this apply overwrites it' },
  recreate: { clause: 'creates again what was deleted outside the code', outcome: 'this apply creates it again' },
};

/** A sentence without its end, and what it speaks of. */
export interface ReversalText {
  sentence: string;
  address: string;
  paths: string[];
  /** Paths that are not named. */
  more: number;
}

/** The planned changes that undo what someone did by hand, in their order: the worst first. */
export function describeReversals(changes: readonly Change[], max_paths: number): ReversalText[] {
  return changes.flatMap(({ address, reverts_drift }) => {
    // Results of older engines lack the member.
    if (!reverts_drift) return [];
    const paths = tagsLast(reverts_drift.paths).slice(0, max_paths);
    const sentence = `This apply ${REVERSAL_TEXTS[reverts_drift.kind].clause}`;
    return [{ sentence, address, paths, more: reverts_drift.paths_total - paths.length }];
  });
}

/** For those that are not told one by one. */
export function formatMoreReversals(count: number): string {
  return `This apply undoes changes made outside the code to ${count} more resource${count === 1 ? '' : 's'}.`;
}

/** For the row of the change itself. */
export function describeReversalCause({ reverts_drift }: Change): Cause | null {
  if (!reverts_drift) return null;
  const { kind, paths, paths_total } = reverts_drift;
  return withNames(REVERSAL_TEXTS[kind].clause, tagsLast(paths), paths_total);
}

/** What of a resource drifted, and what becomes of it. */
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

/** How many resources drifted and how many of them matter here, without an end; empty when none did. */
export function driftSentence({ summary, resource_drift }: Pick<PlanAnalysis, 'summary' | 'resource_drift'>): string {
  const count = summary.drift_detected;
  if (count === 0) return '';
  const all = `${count} resource${count === 1 ? '' : 's'} changed outside of IaC since the last apply`;
  const listed = resource_drift.length;
  if (listed >= count) return all;
  if (listed === 0) return `${all}, ${count === 1 ? 'and does not bear' : 'none of which bears'} on this plan`;
  const some = listed >= MAX_LISTED ? `at least ${listed}` : String(listed);
  return `${all}, ${some} of which ${listed === 1 ? 'bears' : 'bear'} on this plan`;
}

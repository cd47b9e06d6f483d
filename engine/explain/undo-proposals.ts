import { compareJudged } from '../analysis/ranking.ts';
import { stepDown } from '../model/levels.ts';
import type { Change, PlanAnalysis, Reason, RiskLevel } from '../model/result.ts';

/** Escalations that raised changes can cause; others do not depend on levels. */
const COUNTED = /^R-BLAST-/;

/**
 * Reconstructs the possible inputs of `applyProposals` from its output, by reverting each raised level by one step. A
 * result does not show which escalations were caused by raised changes, so there is one analysis per possibility, most
 * likely first.
 *
 * @returns only the analysis itself if a model raised nothing
 */
export function undoProposals(analysis: PlanAnalysis): PlanAnalysis[] {
  const { risk } = analysis;
  if (risk.llm_level === null) return [analysis];
  const changes = analysis.changes.map(lowerChange);
  const by_risk = { ...analysis.summary.by_risk };
  for (const [i, change] of changes.entries()) {
    by_risk[(analysis.changes[i] as Change).risk.level] -= 1;
    by_risk[change.risk.level] += 1;
  }
  const own = risk.escalations.filter(({ kind }) => kind !== 'llm');
  const moved = changes.some((change, i) => change !== analysis.changes[i]);
  return (moved ? enumerateSubsets(own) : [own]).map((escalations) => ({
    ...analysis,
    risk_level: risk.deterministic_level,
    risk: { ...risk, llm_level: null, escalations },
    changes: changes.toSorted((a, b) => compareJudged(toRanked(a), toRanked(b))),
    summary: { ...analysis.summary, by_risk },
  }));
}

/** Also removes policy reasons: a policy reason before the model would have prevented the raise. */
function lowerChange(change: Change): Change {
  const { risk } = change;
  const raised = risk.reasons.find(({ kind }) => kind === 'llm');
  if (risk.raised_by === null || raised === undefined) return change;
  const reasons = risk.reasons.filter(({ kind }) => kind !== 'llm' && kind !== 'policy');
  const level: RiskLevel = stepDown(raised.level);
  return { ...change, risk: { ...risk, level, raised_by: null, reasons } };
}

function enumerateSubsets(escalations: readonly Reason[]): Reason[][] {
  let subsets: Reason[][] = [[]];
  for (const reason of escalations) {
    const kept = subsets.map((subset) => [...subset, reason]);
    subsets = COUNTED.test(reason.rule_id) ? kept.concat(subsets) : kept;
  }
  return subsets;
}

function toRanked(change: Change): Parameters<typeof compareJudged>[0] {
  return { change, judgement: change.risk };
}

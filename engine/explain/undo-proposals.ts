import { compareJudged } from '../analysis/ranking.ts';
import type { Change, PlanAnalysis, Reason, RiskLevel } from '../result.ts';
import { stepDown } from '../risk/levels.ts';

/** Escalations that raised changes can bring about; others do not look at levels. */
const COUNTED = /^R-BLAST-/;

/**
 * What `applyProposals` may have been given, from what it made: the levels of the rules, in their order. A level was raised
 * by one step, so that the step can be taken back. Which escalations came with raised changes is not told by a result:
 * there is one analysis for each way it may have been, the most likely first.
 *
 * @returns the analysis itself, alone, when nothing in it was raised by a model
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

/** A policy that spoke after the model goes with it; one that spoke before had kept the model out. */
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

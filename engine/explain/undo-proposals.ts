import { compareJudged } from '../analysis/ranking.ts';
import type { Change, PlanAnalysis } from '../model/result.ts';
import { formatHeadline } from '../narrative/summary.ts';
import { toRanked } from './raise.ts';

/**
 * The input of `applyProposals`, from its output: everything that a model raised has its deterministic level again, and
 * there are no concerns. Returns an analysis that no model has seen unchanged.
 */
export function undoProposals(analysis: PlanAnalysis): PlanAnalysis {
  const { concerns: _, ...rest } = analysis;
  const { check_level: __, ...risk } = analysis.risk;
  if (risk.llm_level === null) return analysis;
  const changes = analysis.changes.map(lowerChange);
  const by_risk = { ...analysis.summary.by_risk };
  for (const [i, change] of changes.entries()) {
    by_risk[(analysis.changes[i] as Change).risk.level] -= 1;
    by_risk[change.risk.level] += 1;
  }
  const summary = { ...analysis.summary, by_risk };
  const escalations = risk.escalations.filter(({ kind, raised_by }) => kind !== 'llm' && raised_by === undefined);
  return {
    ...rest,
    risk_level: risk.deterministic_level,
    risk: { ...risk, llm_level: null, escalations },
    changes: changes.toSorted((a, b) => compareJudged(toRanked(a), toRanked(b))),
    summary: { ...summary, headline: formatHeadline(risk.deterministic_level, summary) },
  };
}

/** Also removes policy reasons: a policy reason before the model would have prevented the raise. */
function lowerChange(change: Change): Change {
  const { risk } = change;
  if (risk.raised_by === null) return change;
  const reasons = risk.reasons.filter(({ kind }) => kind !== 'llm' && kind !== 'policy');
  return { ...change, risk: { ...risk, level: risk.deterministic_level, raised_by: null, reasons } };
}

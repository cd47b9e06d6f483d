import { compareLevels, maxLevel, minLevel } from '../model/levels.ts';
import type { Concern, PlanAnalysis, RiskLevel } from '../model/result.ts';
import type { PolicyAdjuster } from './raise.ts';

/**
 * Adds the concerns of a model to an analysis. No level changes. If the organization lets concerns count, `check_level`
 * becomes the highest of them, where it is above the level of the plan.
 *
 * @param analysis result of `applyProposals`
 * @param adjustByPolicy the risk policy, which limits what a concern counts; null if concerns do not count
 */
export function addConcerns(
  analysis: PlanAnalysis,
  concerns: readonly Concern[],
  adjustByPolicy: PolicyAdjuster | null,
): PlanAnalysis {
  if (concerns.length === 0) return analysis;
  const check_level = adjustByPolicy === null ? null : findCountedLevel(analysis, concerns, adjustByPolicy);
  const risk = check_level === null ? analysis.risk : { ...analysis.risk, check_level };
  return { ...analysis, risk, concerns: [...concerns] };
}

/** @returns null if no concern counts for more than the plan's level */
function findCountedLevel(
  { changes, risk_level }: PlanAnalysis,
  concerns: readonly Concern[],
  adjustByPolicy: PolicyAdjuster,
): RiskLevel | null {
  const planned = new Map(changes.flatMap((change) => (change.deposed === null ? [[change.address, change]] : [])));
  const levels = concerns.flatMap(({ address, level }) => {
    const change = planned.get(address);
    return change === undefined ? [] : [minLevel(level, adjustByPolicy(change, level).level)];
  });
  const highest = maxLevel(...levels);
  return compareLevels(highest, risk_level) > 0 ? highest : null;
}

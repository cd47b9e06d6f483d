import { maxLevel } from './levels.ts';
import type { PlanAnalysis, RiskLevel } from './result.ts';

/** The level that decides whether a check or a command fails: the plan's, or that of a concern that counts. */
export function findCheckLevel({ risk_level, risk }: Pick<PlanAnalysis, 'risk_level' | 'risk'>): RiskLevel {
  return maxLevel(risk_level, risk.check_level ?? risk_level);
}

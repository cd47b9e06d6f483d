import { compareLevels, type PlanAnalysis, type RiskLevel } from '../../engine/index.ts';

/** Exit code when a plan's risk reaches `--fail-on` or a rule of the policy blocks it; 1 is for a plan that could not be judged. */
export const EXIT_TOO_RISKY = 2;

/** Exit code of `dpa pr-preview` when the comment is printed and says that a file is no plan. */
export const EXIT_NOT_JUDGED = 3;

export function shouldFail({ risk, risk_level }: PlanAnalysis, failOn: RiskLevel | undefined): boolean {
  return risk.blocked || (failOn !== undefined && compareLevels(risk_level, failOn) >= 0);
}

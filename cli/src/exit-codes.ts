import { compareLevels, findCheckLevel, type PlanAnalysis, type RiskLevel } from '../../engine/index.ts';

/** Exit code if `--fail-on` applies or a policy rule blocks the plan; 1 means that the input could not be analyzed. */
export const EXIT_TOO_RISKY = 2;

/** Exit code of `dpa pr-preview` if the printed comment says that a file is not a plan. */
export const EXIT_NOT_JUDGED = 3;

/** Exit code of `dpa state inspect`, `dpa inventory` and `dpa drift` if a part of the input could not be read. */
export const EXIT_PARTLY_READ = 3;

export function shouldFail(analysis: PlanAnalysis, failOn: RiskLevel | undefined): boolean {
  return analysis.risk.blocked || (failOn !== undefined && compareLevels(findCheckLevel(analysis), failOn) >= 0);
}

/** What raises the level of a plan besides its changes: failed checks, actions, and the changes that it defers. */
import { plural } from '../model/counts.ts';
import { compareLevels, isAtLeast } from '../model/levels.ts';
import type { RiskLevel } from '../model/result.ts';
import type { PlanHeader, RawInvocation } from '../plan/types.ts';
import { type InvocationFinding, judgeInvocation } from '../risk/invocations.ts';
import type { PlanFinding } from '../risk/overall.ts';

/** Keeps the riskiest action of a plan. */
export class Invocations {
  riskiest: (InvocationFinding & { address: string }) | null = null;

  read(raw: RawInvocation): void {
    const found = judgeInvocation(raw);
    if (found === null) return;
    if (this.riskiest !== null && compareLevels(found.level, this.riskiest.level) <= 0) return;
    this.riskiest = { ...found, address: raw.address };
  }
}

export function findPlanFindings(
  { checks }: Pick<PlanHeader, 'checks'>,
  { riskiest }: Invocations,
  later: { address: string; level: RiskLevel } | null,
): PlanFinding[] {
  const found: PlanFinding[] = [];
  const failed = checks.fail + checks.error;
  if (failed > 0) {
    const why = `${plural(failed, 'check')} of the configuration did not pass`;
    found.push({ rule_id: 'R-PLAN-CHECK', level: 'medium', why });
  }
  if (riskiest !== null) {
    const why = `the action ${riskiest.address} ${riskiest.does}`;
    found.push({ rule_id: 'R-PLAN-ACTION', level: riskiest.level, why });
  }
  if (later !== null && isAtLeast(later.level, 'high')) {
    const why = `the deferred change of ${later.address} is at level ${later.level} as far as it is known`;
    found.push({ rule_id: 'R-PLAN-LATER', level: later.level, why });
  }
  return found;
}

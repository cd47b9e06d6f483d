import type { OrgJudgement } from '../../adapters/plan-pool/types.ts';
import type { KnownOwners } from '../known-owners/index.ts';
import type { Noise } from '../noise/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Rules } from '../rules/index.ts';

export interface RuleBooksDeps {
  orgs: Pick<Orgs, 'noiseKey'>;
  rules: Pick<Rules, 'forAnalysis'>;
  noise: Pick<Noise, 'liveSuppressions'>;
  knownOwners: Pick<KnownOwners, 'listConfirmed'>;
}

/** The complete rule book of an organization, for evaluating plans anywhere. */
export type RuleBook = Omit<OrgJudgement, 'context'>;

export function createRuleBooks({ orgs, rules, noise, knownOwners }: RuleBooksDeps) {
  async function get(orgId: string): Promise<RuleBook> {
    const [noise_key, in_force, suppressions, owners] = await Promise.all([
      orgs.noiseKey(orgId),
      rules.forAnalysis(orgId),
      noise.liveSuppressions(orgId),
      knownOwners.listConfirmed(orgId),
    ]);
    return { noise_key, rules: { ...in_force, suppressions, owners } };
  }

  return { get };
}

export type RuleBooks = ReturnType<typeof createRuleBooks>;

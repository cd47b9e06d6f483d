import type { ResourceChange } from '../changes/types.ts';
import type { AttributeDiff, RiskLevel } from './result.ts';

/**
 * An organization's rules, compiled for one run by `engine/rules`. The rest of the engine depends only on this
 * interface, so an analysis without rules does not load the rule parser.
 */
export interface RuleBook {
  /** Custom noise rules that match this change, in no particular order. */
  noiseRules(change: ResourceChange): readonly BookNoiseRule[];
  /** Custom risk rules that match this change. */
  riskRules(change: ResourceChange): readonly BookRiskRule[];
  /** Active policy rules that match this change, in list order, without disabled and expired ones. */
  policyRules(change: ResourceChange): readonly BookPolicyRule[];
  /** Id of the active suppression of a fingerprint at an address, or null. */
  suppression(fingerprint: string, address: string): string | null;
  /** Whether any active suppression names this address; if not, fingerprints need not be computed. */
  hasSuppressions(address: string): boolean;
  /** Ids of built-in rules that the organization has disabled. */
  readonly disabled_noise: ReadonlySet<string>;
  readonly disabled_risk: ReadonlySet<string>;
  /** Owners that the organization confirmed as its own, in canonical form. */
  readonly owners: readonly string[];
  /** 0 = no policy was ever set. */
  readonly policy_version: number;
}

export interface BookNoiseRule {
  id: string;
  severity: 'harmless' | 'warning' | 'caution';
  /** The rule applies only if it covers every changed attribute. */
  only: boolean;
  covers(diff: AttributeDiff): boolean;
}

export interface BookRiskRule {
  id: string;
  name: string;
  effect: 'raise' | 'cap';
  level: RiskLevel;
  message: string;
  /** Path of the first condition that matched, in the format of `AttributeDiff.path`; null without conditions. */
  path: string | null;
}

export interface BookPolicyRule {
  id: string;
  name: string;
  effect: 'raise' | 'cap' | 'set' | 'block';
  /** Null for `block`. */
  level: RiskLevel | null;
  reason: string;
  path: string | null;
}

/** Rules of an organization without any configuration. */
export const NO_RULES: RuleBook = {
  noiseRules: () => [],
  riskRules: () => [],
  policyRules: () => [],
  suppression: () => null,
  hasSuppressions: () => false,
  disabled_noise: new Set(),
  disabled_risk: new Set(),
  owners: [],
  policy_version: 0,
};

import type { ResourceChange } from './changes/types.ts';
import type { AttributeDiff, RiskLevel } from './result.ts';

/**
 * An org's rules, compiled for one run. `engine/rules` makes it; the rest of the engine knows only this much of it, so that
 * an analysis without rules loads nothing of their language.
 */
export interface RuleBook {
  /** Custom noise rules whose conditions this change meets, in no order. */
  noiseRules(change: ResourceChange): readonly BookNoiseRule[];
  /** Custom risk rules that speak of this change. */
  riskRules(change: ResourceChange): readonly BookRiskRule[];
  /** Policy rules in force that speak of this change, in list order; disabled and expired ones are left out. */
  policyRules(change: ResourceChange): readonly BookPolicyRule[];
  /** Id of the live suppression of a pair, or null. */
  suppression(fingerprint: string, address: string): string | null;
  /** Cheap: whether any live suppression names this address, so that the work of fingerprints can be skipped. */
  hasSuppressions(address: string): boolean;
  /** Ids of built-in rules that the org has switched off. */
  readonly disabled_noise: ReadonlySet<string>;
  readonly disabled_risk: ReadonlySet<string>;
  /** 0 = none was ever set. */
  readonly policy_version: number;
}

export interface BookNoiseRule {
  id: string;
  severity: 'harmless' | 'warning' | 'caution';
  /** The rule holds only when it covers every changed attribute. */
  only: boolean;
  covers(diff: AttributeDiff): boolean;
}

export interface BookRiskRule {
  id: string;
  name: string;
  effect: 'raise' | 'cap';
  level: RiskLevel;
  message: string;
  /** Concrete path of the first condition that held, as `AttributeDiff.path` renders it; null without conditions. */
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

/** The book of an org that has decided nothing. */
export const NO_RULES: RuleBook = {
  noiseRules: () => [],
  riskRules: () => [],
  policyRules: () => [],
  suppression: () => null,
  hasSuppressions: () => false,
  disabled_noise: new Set(),
  disabled_risk: new Set(),
  policy_version: 0,
};

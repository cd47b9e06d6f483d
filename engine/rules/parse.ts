import type { z } from 'zod';
import { checkAttributes, checkCondition, checkPolicy } from './checks.ts';
import { type ConfigIssue, describe } from './issues.ts';
import { measure } from './measure.ts';
import { noiseConfig, policyRules, riskConfig } from './schema.ts';
import type { NoiseRuleConfig, PolicyRule, RiskRuleConfig } from './types.ts';

/** The value, or at most 20 issues in input order. */
export type Parsed<T> = { value: T } | { issues: ConfigIssue[] };

const MAX_ISSUES = 20;
/** Maximum JSON size of one rule, and of a whole policy. */
const MAX_CONFIG_BYTES = 65_536;
const MAX_POLICY_BYTES = 262_144;

/** @see openapi.yaml, NoiseRuleConfig */
export function parseNoiseConfig(config: unknown): Parsed<NoiseRuleConfig> {
  return parse<NoiseRuleConfig>(noiseConfig, config, MAX_CONFIG_BYTES, (value) => [
    ...checkCondition(value, []),
    ...checkAttributes(value),
  ]);
}

/** @see openapi.yaml, RiskRuleConfig */
export function parseRiskConfig(config: unknown): Parsed<RiskRuleConfig> {
  return parse<RiskRuleConfig>(riskConfig, config, MAX_CONFIG_BYTES, (value) => checkCondition(value, []));
}

/** @see openapi.yaml, RiskPolicyUpdate */
export function parsePolicyRules(rules: unknown): Parsed<PolicyRule[]> {
  return parse<PolicyRule[]>(policyRules, rules, MAX_POLICY_BYTES, checkPolicy);
}

/** @param check additional checks, run only if the schema accepts the input */
function parse<T>(schema: z.ZodType, given: unknown, max_bytes: number, check: (value: T) => ConfigIssue[]): Parsed<T> {
  const refused = measure(given, max_bytes);
  if (refused !== null) return { issues: [refused] };
  const read = schema.safeParse(given);
  const issues = read.success ? check(read.data as T) : describe(read.error.issues, given);
  return issues.length === 0 ? { value: read.data as T } : { issues: issues.slice(0, MAX_ISSUES) };
}

/** The engine defines the rule language; this file turns its findings into errors of a request. */
import {
  type NoiseRuleConfig,
  type Parsed,
  type PolicyRule,
  parseNoiseConfig,
  parsePolicyRules,
  parseRiskConfig,
  type RiskRuleConfig,
  type RuleToTry,
} from '../../../engine/rules/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { RuleType } from './types.ts';

const MAX_DETAILS = 20;

/**
 * @param at JSON pointer from the request to the config
 * @throws InvalidInput `invalid_config` with all faults
 */
export function parseConfig(rule_type: RuleType, config: unknown, at = '/body/config'): RuleToTry {
  if (rule_type === 'noise') return { rule_type, config: requireParsed<NoiseRuleConfig>(parseNoiseConfig(config), at) };
  return { rule_type, config: requireParsed<RiskRuleConfig>(parseRiskConfig(config), at) };
}

/** The same for the rules of a policy. */
export function parsePolicy(rules: unknown): PolicyRule[] {
  return requireParsed(parsePolicyRules(rules), '/body/rules');
}

function requireParsed<T>(parsed: Parsed<T>, at: string): T {
  if ('value' in parsed) return parsed.value;
  const details = parsed.issues
    .slice(0, MAX_DETAILS)
    .map(({ path, message }) => ({ path: at + path, message, code: 'invalid_config' }));
  const [first] = details;
  const place = first?.path.slice('/body/'.length) ?? '';
  throw new InvalidInput(`invalid config: ${place} ${first?.message ?? ''}`, 'invalid_config', { details });
}

import type { Change } from '../model/result.ts';
import { compilePaths } from './paths.ts';
import { reviveChange } from './revive.ts';
import { createSelector } from './select.ts';
import type { NoiseRuleConfig, RiskRuleConfig, RunContext } from './types.ts';

const MAX_MATCHES = 500;

export type RuleToTry = { rule_type: 'noise'; config: NoiseRuleConfig } | { rule_type: 'risk'; config: RiskRuleConfig };

export interface DryRun {
  /** At most 500, in the order of the changes. */
  matches: { address: string; path: string | null }[];
  match_count: number;
  total_changes: number;
}

type ChangeTest = (change: Change) => { path: string | null } | undefined;

/**
 * The changes of a stored result that a rule would match. See `reviveChange` for the limits of stored changes.
 *
 * @param rule validated rule
 */
export function dryRun(changes: readonly Change[], rule: RuleToTry, context: RunContext): DryRun {
  const test = rule.rule_type === 'noise' ? tryNoise(rule.config, context) : tryRisk(rule.config, context);
  const result: DryRun = { matches: [], match_count: 0, total_changes: changes.length };
  for (const change of changes) {
    const met = test(change);
    if (met === undefined) continue;
    result.match_count += 1;
    if (result.matches.length < MAX_MATCHES) result.matches.push({ address: change.address, path: met.path });
  }
  return result;
}

function tryRisk(config: RiskRuleConfig, context: RunContext): ChangeTest {
  const select = createSelector([config], context);
  return (change) => select(reviveChange(change))[0];
}

/** Only changed attributes of updates can be noise. */
function tryNoise(config: NoiseRuleConfig, context: RunContext): ChangeTest {
  const select = createSelector([config], context);
  const covers = compilePaths(config.attributes ?? ['**']);
  return (change) => {
    if (change.action !== 'update') return undefined;
    const covered = change.attributes.filter((diff) => covers(diff.path_segments));
    const enough = config.attributes_mode === 'any' ? covered.length > 0 : covered.length === change.attributes.length;
    if (!enough || covered.length === 0) return undefined;
    const held = select(reviveChange(change))[0];
    return held && { path: held.path ?? (config.attributes === undefined ? null : (covered[0]?.path ?? null)) };
  };
}

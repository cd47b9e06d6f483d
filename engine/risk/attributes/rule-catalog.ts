import { isAtLeast } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import { findMoves, formatMoveId } from './moves/index.ts';
import { NAMED_RULES, type RuleText } from './named-rules.ts';
import { findPhrase } from './phrases.ts';
import { ROWS } from './rows.ts';

export interface RiskRule extends RuleText {
  id: string;
  /** The resource type of a rule for a single type; null for other rules. */
  resource_type: string | null;
}

/**
 * Returns the risk rules with a fixed id, which an org can turn off. Sorted by id.
 *
 * @param type only rules of this resource type and of no single type; null: the rules of all types, without those of
 *   the tables of moves, which are many thousands
 */
export function riskRules(type: string | null = null): RiskRule[] {
  const named = Object.entries(NAMED_RULES).map(([id, text]) => ({ id, resource_type: null, ...text }));
  const of_attributes = attributeRules().filter((rule) => type === null || rule.resource_type === type);
  if (type !== null) addMoves(type, of_attributes);
  return [...named, ...of_attributes].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Several moves of one argument are one rule. */
function addMoves(type: string, rules: RiskRule[]): void {
  const found = new Map(rules.map((rule) => [rule.id, rule]));
  for (const { path, level, says } of findMoves(type)) {
    if (says === undefined) continue;
    const id = formatMoveId(type, path);
    const known = found.get(id);
    if (known !== undefined) known.level = highest([known.level, level]);
    else {
      const rule = { id, resource_type: type, title: says, level, looks_at: `\`${path}\` of \`${type}\`.` };
      found.set(id, rule);
      rules.push(rule);
    }
  }
}

/** Returns the rules for a single attribute of a single type. Several rows for one attribute are one rule. */
function attributeRules(): RiskRule[] {
  const found = new Map<string, RiskRule>();
  for (const row of ROWS) {
    if (row.rule !== 'attr') continue;
    for (const type of row.types) {
      const id = `R-ATTR-${type}.${row.path}`;
      const known = found.get(id);
      const level = highest([row.level, ...Object.values(row.levels ?? {}), ...(known ? [known.level] : [])]);
      const text = known ?? { title: findPhrase(row.topic ?? row.rule), looks_at: `\`${row.path}\` of \`${type}\`.` };
      found.set(id, { id, resource_type: type, title: text.title, level, looks_at: text.looks_at });
    }
  }
  return [...found.values()];
}

function highest(levels: readonly RiskLevel[]): RiskLevel {
  return levels.reduce((most, level) => (isAtLeast(level, most) ? level : most));
}

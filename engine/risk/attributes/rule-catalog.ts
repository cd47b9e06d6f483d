import { isAtLeast } from '../../model/levels.ts';
import type { RiskLevel } from '../../model/result.ts';
import { NAMED_RULES, type RuleText } from './named-rules.ts';
import { findPhrase } from './phrases.ts';
import { ROWS } from './rows.ts';

export interface RiskRule extends RuleText {
  id: string;
  /** The resource type of a rule for a single type; null for other rules. */
  resource_type: string | null;
}

/** Returns every risk rule with a fixed id, which an org can turn off. Sorted by id. */
export function riskRules(): RiskRule[] {
  const named = Object.entries(NAMED_RULES).map(([id, text]) => ({ id, resource_type: null, ...text }));
  return [...named, ...attributeRules()].sort((a, b) => (a.id < b.id ? -1 : 1));
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

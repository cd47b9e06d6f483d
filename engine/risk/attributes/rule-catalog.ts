import type { RiskLevel } from '../../result.ts';
import { isAtLeast } from '../levels.ts';
import { NAMED_RULES, type RuleText } from './named-rules.ts';
import { findPhrase } from './phrases.ts';
import { ROWS } from './rows.ts';

export interface RiskRule extends RuleText {
  id: string;
  /** The only type that it judges; null for a rule of many. */
  resource_type: string | null;
}

/** Every risk rule that can be switched off by an id which is known beforehand, by id. */
export function riskRules(): RiskRule[] {
  const named = Object.entries(NAMED_RULES).map(([id, text]) => ({ id, resource_type: null, ...text }));
  return [...named, ...attributeRules()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The rules of one attribute of one type. Rows of the same attribute, for other values, are one rule. */
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

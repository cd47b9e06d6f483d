import { CODE_RULES } from './catalog.ts';
import { compileWildcard } from './identity/wildcard.ts';
import { findMoveRules } from './moves/index.ts';
import { findRowRule, ROWS } from './rows.ts';
import type { Mode, Rule, Watch } from './types.ts';
import { buildWatchTree, type WatchTree } from './watch.ts';

/** The attribute rules of one resource type. */
export interface TypeRules {
  /** Rules for create, update and replace, by each top-level attribute that they watch. */
  byAttribute: ReadonlyMap<string, readonly Rule[]>;
  /** Rules for create, update and replace that watch no attribute. */
  always: readonly Rule[];
  onDelete: readonly Rule[];
  watched: WatchTree;
  /** The watched paths where an unknown value is also reported on create and replace. */
  hiding: WatchTree;
}

const DEFAULT_MODES: readonly Mode[] = ['create', 'update', 'replace'];
/** Types come from users' plans, so the cache needs a limit. */
const CACHE_MAX = 10_000;

/** Positions of rules in the list of all rules: rules in code first, then rows. */
const exact = new Map<string, number[]>();
const globs: { matches(type: string): boolean; position: number }[] = [];
[...CODE_RULES, ...ROWS].forEach(({ types }, position) => {
  for (const type of types) {
    const known = exact.get(type);
    if (type.includes('*')) globs.push({ matches: compileWildcard(type), position });
    else if (known === undefined) exact.set(type, [position]);
    else known.push(position);
  }
});

const cache = new Map<string, TypeRules | null>();

/** Returns the rules of a type, compiled on first use; null when no rule applies to it. */
export function findTypeRules(type: string): TypeRules | null {
  const known = cache.get(type);
  if (known !== undefined) return known;
  if (cache.size >= CACHE_MAX) cache.clear();
  const rules = compile(type);
  cache.set(type, rules);
  return rules;
}

function compile(type: string): TypeRules | null {
  const named = new Set(exact.get(type));
  for (const { matches, position } of globs) if (matches(type)) named.add(position);
  const moves = findMoveRules(type);
  if (moves.length > 0) return compileRules([...named].map(ruleAt), moves);
  return named.size === 0 ? null : combine([...named]);
}

/** Types with the same rules share one compiled object, for example all types with only generic rules. */
const combined = new Map<string, TypeRules>();

function combine(positions: readonly number[]): TypeRules {
  const key = positions.join();
  const known = combined.get(key);
  if (known !== undefined) return known;
  if (combined.size >= CACHE_MAX) combined.clear();
  const made = compileRules(positions.map(ruleAt), []);
  combined.set(key, made);
  return made;
}

/** Returns the same object for a rule on each call, so that a rule is applied once. */
function ruleAt(position: number): Rule {
  return CODE_RULES[position] ?? findRowRule(position - CODE_RULES.length);
}

/** @param moves rules about single values; what they read is not watched, so it may be noise or unknown */
function compileRules(rules: readonly Rule[], moves: readonly Rule[]): TypeRules {
  const watches = rules.flatMap((rule) => rule.watches);
  return {
    always: rules.filter((rule) => rule.watches.length === 0 && rule.modes?.some((mode) => mode !== 'delete')),
    byAttribute: groupByAttribute([
      ...rules.filter((rule) => (rule.modes ?? DEFAULT_MODES).some((mode) => mode !== 'delete')),
      ...moves,
    ]),
    onDelete: rules.filter((rule) => rule.modes?.includes('delete')),
    watched: buildWatchTree(watches.filter((watch) => !watch.compares)),
    hiding: buildWatchTree(watches.filter((watch) => watch.hides)),
  };
}

function groupByAttribute(rules: readonly Rule[]): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const top of new Set(rule.watches.map(extractTopAttribute))) {
      const group = groups.get(top);
      if (group) group.push(rule);
      else groups.set(top, [rule]);
    }
  }
  return groups;
}

function extractTopAttribute({ path }: Watch): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}

/** Returns true when a rule applies in a mode. */
export function appliesIn(rule: Rule, mode: Mode): boolean {
  return (rule.modes ?? DEFAULT_MODES).includes(mode);
}

import { createTemplateFold, toPathNode } from '../changes/path-node.ts';
import type { ResourceChange } from '../changes/types.ts';
import { extendNames } from '../equivalence/equivalences.ts';
import type { AttributeDiff } from '../model/result.ts';
import any from './any.json' with { type: 'json' };
import aws from './aws.json' with { type: 'json' };
import azurerm from './azurerm.json' with { type: 'json' };
import google from './google.json' with { type: 'json' };
import { compileSignature, holdsOnWatched, isRecord, type Matcher } from './signatures.ts';
import type { NoiseRule, RuleContext } from './types.ts';

export type { RuleContext } from './types.ts';

export interface CatalogRule extends NoiseRule {
  /** Prefix of the provider's resource types; null for a rule about every provider. */
  provider: 'aws' | 'azurerm' | 'google' | null;
}

export interface CompiledRule extends CatalogRule {
  matches: Matcher;
  /** Whether the rule applies on paths that risk rules watch. */
  on_watched: boolean;
  /** Whether the rule recognizes records, which cause no other change. */
  is_record: boolean;
}

/** The rules of one resource type by path. */
export interface TypeRules {
  /** First segments of all paths, to skip most leaves quickly. */
  roots: Set<string>;
  exact: Map<string, CompiledRule[]>;
  members: Map<string, CompiledRule[]>;
  below: Map<string, CompiledRule[]>;
}

/** All built-in noise rules, by provider, then by number; those about every provider come last. */
export const NOISE_RULES: readonly CatalogRule[] = [
  ...toCatalogRules('aws', aws as NoiseRule[]),
  ...toCatalogRules('azurerm', azurerm as NoiseRule[]),
  ...toCatalogRules('google', google as NoiseRule[]),
  ...toCatalogRules(null, any as NoiseRule[]),
];

const PROVIDERS = ['aws', 'azurerm', 'google'] as const;
/** Rules by resource type. Rules are compiled on first use, because one plan needs only a few. */
let byType: Map<string, CatalogRule[]> | undefined;
const compiled = new Map<CatalogRule, CompiledRule>();
/** By resource type; types without rules of their own share an entry such as `aws_*`, and other providers `*`. */
const tables = new Map<string, TypeRules>();

/** Title of a built-in rule, or undefined if the id is unknown. */
export function noiseTitle(id: string | null): string | undefined {
  return id === null ? undefined : NOISE_RULES.find((rule) => rule.id === id)?.title;
}

/** The rules for a resource type; those about every provider are among them. */
export function findNoiseRules(type: string): TypeRules {
  const provider = PROVIDERS.find((one) => type.startsWith(`${one}_`)) ?? null;
  byType ??= indexRules();
  const rules = provider === null ? undefined : byType.get(type);
  const name = rules !== undefined ? type : provider === null ? '*' : `${provider}_*`;
  const known = tables.get(name);
  if (known !== undefined) return known;
  const table = makeTable([...collectGlobalRules(provider), ...(rules ?? [])]);
  tables.set(name, table);
  return table;
}

const SEVERITY = { harmless: 0, warning: 1, caution: 2 } as const;

/** Rules that may match a leaf, by the names along its path. */
interface RulesAt {
  /** The names joined with dots. */
  path: string;
  /** Rules for a path and everything below it, collected along the way. */
  below: readonly CompiledRule[];
  /** Those rules and the ones for this path. */
  here: readonly CompiledRule[];
}

const NO_RULES: readonly CompiledRule[] = [];
const ROOT: RulesAt = { path: '', below: NO_RULES, here: NO_RULES };

/** Finds the most severe rule that a leaf matches; the first one of equal severity. */
export type RuleFinder = (diff: AttributeDiff, isOff: (rule: CompiledRule) => boolean) => CompiledRule | null;

/** The finder calls `isOff` for each matching rule and skips the rule if it returns true. */
export function createRuleFinder(rules: TypeRules, change: ResourceChange, context: RuleContext): RuleFinder {
  const rulesAt = createTemplateFold<RulesAt>(
    ROOT,
    (parent, name) => (name === null ? parent : extendRules(rules, parent, name)),
    rules,
  );
  return (diff, isOff) => {
    const node = toPathNode(diff);
    if (diff.before_sensitive || diff.after_sensitive || !rules.roots.has(node.first as string)) return null;
    let found: CompiledRule | null = null;
    for (const rule of rulesAt(node.template).here) {
      if (isMoreSevere(rule, found) && rule.matches(diff, change, context) && !isOff(rule)) found = rule;
    }
    return found;
  };
}

function extendRules({ below, exact, members }: TypeRules, parent: RulesAt, name: string): RulesAt {
  const path = extendNames(parent.path, name);
  const inherited = concat(parent.below, below.get(path));
  return { path, below: inherited, here: concat(concat(inherited, exact.get(path)), members.get(parent.path)) };
}

function concat(rules: readonly CompiledRule[], more: readonly CompiledRule[] | undefined): readonly CompiledRule[] {
  return more === undefined ? rules : [...rules, ...more];
}

/** Whether a built-in or custom rule is more severe than another. */
export function isMoreSevere(
  rule: Pick<CompiledRule, 'severity'>,
  other: Pick<CompiledRule, 'severity'> | null,
): boolean {
  return other === null || SEVERITY[rule.severity] > SEVERITY[other.severity];
}

function toCatalogRules(provider: CatalogRule['provider'], rules: NoiseRule[]): CatalogRule[] {
  return rules.map((rule) => ({ ...rule, provider }));
}

function indexRules(): Map<string, CatalogRule[]> {
  const index = new Map<string, CatalogRule[]>();
  for (const rule of NOISE_RULES) {
    if (rule.resource_types.includes('*')) continue;
    for (const type of rule.resource_types) append(index, type, rule);
  }
  return index;
}

/** Rules for every type of a provider, then those for every provider; the table of each type starts with them. */
function collectGlobalRules(provider: CatalogRule['provider']): CatalogRule[] {
  const global = NOISE_RULES.filter((rule) => rule.resource_types.includes('*'));
  return [...global.filter((rule) => rule.provider === provider && provider !== null), ...global.filter(isForAll)];
}

function isForAll(rule: CatalogRule): boolean {
  return rule.provider === null;
}

function makeTable(rules: readonly CatalogRule[]): TypeRules {
  const table: TypeRules = { roots: new Set(), exact: new Map(), members: new Map(), below: new Map() };
  for (const rule of rules) addRule(table, compile(rule));
  return table;
}

function compile(rule: CatalogRule): CompiledRule {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const { signature } = rule;
  const matches = compileSignature(signature);
  const made = { ...rule, matches, on_watched: holdsOnWatched(signature), is_record: isRecord(signature) };
  compiled.set(rule, made);
  return made;
}

function addRule(table: TypeRules, rule: CompiledRule): void {
  for (const path of rule.paths) {
    table.roots.add(path.split('.')[0] as string);
    if (path.endsWith('.**')) append(table.below, path.slice(0, -3), rule);
    else if (path.endsWith('.*')) append(table.members, path.slice(0, -2), rule);
    else append(table.exact, path, rule);
  }
}

function append<Rule>(map: Map<string, Rule[]>, key: string, rule: Rule): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
}

import type { JsonObject, JsonValue } from '../../../engine/model/result.ts';
import { CODE_RULES } from '../../../engine/risk/attributes/catalog.ts';
import { matchesWildcard } from '../../../engine/risk/attributes/identity/wildcard.ts';
import { findRowRule, ROWS } from '../../../engine/risk/attributes/rows.ts';
import { Subject } from '../../../engine/risk/attributes/subject.ts';
import type { Mode, Rule } from '../../../engine/risk/attributes/types.ts';
import { collectTypes, LISTED_CATEGORIES } from '../../../engine/risk/categories.ts';
import { NO_OWNERSHIP } from '../../../engine/risk/destinations/index.ts';
import { NO_LISTS } from '../../../engine/risk/ordering/lists.ts';
import { NO_NEIGHBORS } from '../../../engine/risk/relations/neighbors.ts';
import { NO_POWERS } from '../../../engine/risk/relations/powers.ts';
import { NO_SELECTORS } from '../../../engine/risk/relations/tags.ts';
import { findBranchValue } from './branch-values.ts';

/** The names that a rule reads from a value, each with the names that it reads from that member. */
export interface Reads {
  members: Map<string, Reads>;
}

/** A rule, a type that it applies to, and what it reads from a resource of that type. */
export interface RuleReads {
  type: string;
  rule: Rule;
  reads: Reads;
}

/** Each round finds names that depend on the values found in the previous round. */
const ROUNDS = 6;
const MODES: readonly Mode[] = ['update', 'create', 'delete'];

/** Every kind of rule of the engine, each with one type. Data rows that differ only in names count once. */
export function listRuleReads(): RuleReads[] {
  return [...CODE_RULES, ...listDistinctRows()].map((rule) => {
    const type = toConcreteType(rule.types[0] ?? '');
    return { type, rule, reads: findReads(rule, type) };
  });
}

function listDistinctRows(): Rule[] {
  const kinds = new Map<string, Rule>();
  for (const [i, { when, path, zero }] of ROWS.entries()) {
    const kind = `${when} ${zero ?? ''} ${path.replace(/[^.*]+/g, 'x')}`;
    if (!kinds.has(kind)) kinds.set(kind, findRowRule(i));
  }
  return [...kinds.values()];
}

/** A known type that the glob matches; otherwise the glob with each star replaced by a word. */
function toConcreteType(glob: string): string {
  if (!glob.includes('*')) return glob;
  if (glob === '*') return 'example_thing';
  const listed = LISTED_CATEGORIES.flatMap(collectTypes).find((type) => matchesWildcard(glob, type));
  return listed ?? glob.replaceAll('*', 'project');
}

/** Runs the rule on values that record the names it reads. */
function findReads(rule: Rule, type: string): Reads {
  const root: Reads = { members: new Map() };
  for (const { path } of rule.watches)
    recordPath(
      root,
      path.split('.').filter((segment) => segment !== '*'),
    );
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const mode of MODES) {
      const [before, after] = [createRecorder(root, round), createRecorder(root, round + 1)] as [
        JsonObject,
        JsonObject,
      ];
      rule.find(new Subject(buildChange(type, mode, before, after), NO_FACTS, mode, new Set()));
    }
  }
  return root;
}

function recordPath(reads: Reads, [name, ...rest]: string[]): void {
  if (name === undefined) return;
  const known = reads.members.get(name) ?? { members: new Map() };
  reads.members.set(name, known);
  recordPath(known, rest);
}

/** An object with the members that were read in earlier rounds; it records new names. */
function createRecorder(reads: Reads, round: number): JsonValue {
  const target: JsonObject = {};
  for (const [name, below] of reads.members) target[name] = buildRecordedValue(name, below, round);
  const recordName = (name: string | symbol) => {
    if (typeof name === 'string' && name !== 'toJSON') recordPath(reads, [name]);
  };
  return new Proxy(target, {
    getOwnPropertyDescriptor(object, name) {
      recordName(name);
      return Reflect.getOwnPropertyDescriptor(object, name);
    },
  });
}

function buildRecordedValue(name: string, below: Reads, round: number): JsonValue {
  if (below.members.size > 0) return [createRecorder(below, round)];
  const branch_value = findBranchValue(name, round);
  if (branch_value !== undefined && round % 3 !== 2) return branch_value;
  return round % 2 === 0 ? [createRecorder(below, round)] : `${name}-${round}`;
}

const NO_FACTS = {
  accounts: new Set<string>(),
  destroyed: new Set<string>(),
  created: new Set<string>(),
  owned: NO_OWNERSHIP,
  ordered: NO_LISTS,
  powers: NO_POWERS,
  neighbors: NO_NEIGHBORS,
  selectors: NO_SELECTORS,
  publishes: false,
  unguarded: false,
};

function buildChange(type: string, mode: Mode, before: JsonObject, after: JsonObject) {
  const actions = mode === 'replace' ? ['delete', 'create'] : [mode];
  return {
    address: `${type}.a`,
    previous_address: null,
    module_address: null,
    mode: 'managed' as const,
    type,
    name: 'a',
    index: null,
    deposed: null,
    provider: 'aws',
    provider_name: 'hashicorp/aws',
    actions,
    action: mode,
    action_label: mode,
    action_reason: null,
    replace_paths: [],
    importing: null,
    object_ids: [],
    before: mode === 'create' ? null : before,
    after: mode === 'delete' ? null : after,
    unknown: undefined,
    before_sensitive: undefined,
    after_sensitive: undefined,
    diffs: [],
  };
}

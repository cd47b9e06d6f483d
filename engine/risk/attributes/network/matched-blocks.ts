/** R-NET-MATCH: rules whose blocks say whom they match, such as callers, sources or events, compared by what they match. */
import type { BooleanCondition } from '../../../canonical/boolean-conditions.ts';
import { type Alternative, compareTrees, listAlternatives } from '../../../canonical/condition-alternatives.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, list, member, text } from '../values.ts';

interface Matched {
  types: readonly string[];
  /** Path of the list of alternatives. */
  path: readonly string[];
  /** Lists of which every entry must match. */
  all_of?: ReadonlySet<string>;
  /** Blocks that are one test. */
  whole?: ReadonlySet<string>;
  /** Whether the rule allows what it matches. */
  allows(side: Value): boolean;
}

const NAMES_CALLER =
  /source|principal|namespace|from\b|actor|account|ip_?block|cidr|header|service_?account|selector|endpoint|entit|client|jwt|claim|user|group/i;
const EVERYTHING: BooleanCondition = { kind: 'all', parts: [] };
const DEPTH_MAX = 12;
const NEGATED = /^not_/;

/** Policies of a service mesh, which allow unless they say otherwise. */
function allowsByAction(side: Value): boolean {
  return text(at(side, 'spec', 'action')).toUpperCase() !== 'DENY';
}

function allowsListener(side: Value): boolean {
  return !list(member(side, 'action')).some((action) => {
    const codes = list(member(action, 'fixed_response')).map((block) => text(member(block, 'status_code')));
    return codes.some((code) => /^[45]/.test(code));
  });
}

const NETWORK_POLICIES = [
  'kubernetes_network_policy',
  'kubernetes_network_policy_v1',
  'kubernetes_cilium_network_policy',
  'kubernetes_cilium_clusterwide_network_policy',
];

const MATCHED: readonly Matched[] = [
  ...['ingress', 'egress'].map(
    (name): Matched => ({ types: NETWORK_POLICIES, path: ['spec', name], allows: () => true }),
  ),
  { types: ['kubernetes_authorization_policy'], path: ['spec', 'rule'], allows: allowsByAction },
  {
    types: ['aws_codebuild_webhook'],
    path: ['filter_group'],
    all_of: new Set(['filter']),
    whole: new Set(['filter']),
    allows: () => true,
  },
  {
    types: ['aws_lb_listener_rule', 'aws_alb_listener_rule'],
    path: ['condition'],
    all_of: new Set(['condition']),
    allows: allowsListener,
  },
];

function judgeMatched(matched: Matched, subject: Subject): void {
  const { before, after } = subject;
  const [was, is] = [matched.allows(before), matched.allows(after)];
  const path = findPath(matched.path, after);
  if (was !== is || path === null || subject.isUnknown(...path)) return;
  const [from, to] = [readList(matched, before), readList(matched, after)];
  const found = from === null || to === null ? null : compareTrees(from, to);
  if (from === null || to === null || found === null || found.reach === 'same') return;
  if (found.reach === (is ? 'narrower' : 'wider')) subject.setDirection(path, 'strengthening');
  else if (is) judgeWider(subject, path, listAlternatives(from) ?? [], found.added);
  else if (found.reach === 'narrower') report(subject, path, 'high', 'The rule that refuses matches less than before');
}

/** A further alternative is everyday work; one that demands less than before lets others in. */
function judgeWider(subject: Subject, path: Path, before: readonly Alternative[], added: readonly Alternative[]): void {
  const dropped = added.flatMap((one) =>
    before.filter((known) => [...one].every((test) => known.has(test))).map((known) => minus(known, one)),
  );
  if (added.some((one) => one.size === 0))
    report(subject, path, 'high', 'The rule that allows now matches everything: none of its conditions is left');
  else if (dropped.length > 0) {
    const about_callers = dropped.some((tests) => tests.some((test) => NAMES_CALLER.test(test)));
    const message = 'The rule that allows demands less than before, so it also matches others';
    report(subject, path, about_callers ? 'high' : 'medium', message);
  }
}

function minus(known: Alternative, one: Alternative): string[] {
  return [...known].filter((test) => !one.has(test));
}

function report(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  subject.add({ rule: 'R-NET-MATCH', level, path, message: `${message}: ${subject.formatPath(path)}.` });
  subject.setDirection(path, 'weakening');
}

/** The path with the index of single blocks, which are lists; null if there is no such block. */
function findPath(names: readonly string[], side: Value): Path | null {
  const path: (string | number)[] = [];
  let value: Value = side;
  for (const [depth, name] of names.entries()) {
    value = member(value, name);
    path.push(name);
    if (!Array.isArray(value) || depth === names.length - 1) continue;
    path.push(0);
    value = value[0];
  }
  return value === undefined ? null : path;
}

/** null if there is no list: its default depends on the service. */
function readList({ path, all_of, whole }: Matched, side: Value): BooleanCondition | null {
  const value = at(side, ...path);
  if (!Array.isArray(value)) return null;
  const name = path.at(-1)!;
  const parts = value.map((item) => readBlock(item, name, { all_of, whole }, 0));
  return { kind: all_of?.has(name) ? 'all' : 'any', parts };
}

type Options = { [name in 'all_of' | 'whole']: ReadonlySet<string> | undefined };

/** A block demands all of its members; a list that is not set, or empty, demands nothing. */
function readBlock(value: Value, name: string, options: Options, depth: number): BooleanCondition {
  if (!isObject(value) || depth > DEPTH_MAX || options.whole?.has(name.slice(name.lastIndexOf('.') + 1)))
    return { kind: 'test', text: `${name} ${JSON.stringify(value ?? null)}` };
  const parts = Object.keys(value).map((key) => readMember(value[key], `${name}.${key}`, options, depth + 1));
  return { kind: 'all', parts };
}

/** @param name with the names of the blocks around it */
function readMember(value: Value, name: string, options: Options, depth: number): BooleanCondition {
  const key = name.slice(name.lastIndexOf('.') + 1);
  if (value === null || value === undefined || value === '') return EVERYTHING;
  if (!Array.isArray(value)) return readBlock(value, name, options, depth);
  if (value.length === 0) return EVERYTHING;
  const parts = value.map((item) => readBlock(item, name, options, depth + 1));
  if (NEGATED.test(key)) return { kind: 'all', parts: parts.map((part) => ({ kind: 'not', part })) };
  return { kind: options.all_of?.has(key) ? 'all' : 'any', parts };
}

export const MATCHED_BLOCK_RULES: readonly Rule[] = MATCHED.map(
  (matched): Rule => ({
    types: matched.types,
    watches: [{ path: matched.path[0]! }],
    modes: ['update'],
    find: (subject) => judgeMatched(matched, subject),
  }),
);

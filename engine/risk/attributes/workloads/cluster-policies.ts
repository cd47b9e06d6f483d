/** R-K8S-POLICY: policies of a cluster and its mesh that allow or exempt more than before. */

import { isVastPublic, parseCidr } from '../../../lib/cidr.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { RiskLevel } from '../../../model/result.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, same, strings, text } from '../values.ts';

/** What a policy lets through that it did not before. */
interface Opening {
  level: RiskLevel;
  path: Path;
  message: string;
}

type FindOpening = (before: Value, after: Value) => Opening | null;

const opening = (level: RiskLevel, path: string, message: string): Opening => ({
  level,
  path: ['spec', path],
  message,
});

/** Istio: an ALLOW policy admits what one of its rules matches; a rule without members matches everything. */
function findAllowedCallers(before: Value, after: Value): Opening | null {
  const [was_deny, is_deny] = [isDenial(before), isDenial(after)];
  if (was_deny && !is_deny) return opening('high', 'action', 'The policy no longer denies requests.');
  const [from, to] = [list(member(before, 'rule')), list(member(after, 'rule'))];
  if (is_deny) {
    const is_lost = from.some((rule) => !to.some((other) => same(rule, other)));
    return is_lost && to.length < from.length ? opening('medium', 'rule', 'The policy denies less than before.') : null;
  }
  const gained = to.filter((rule) => admitsAnyone(rule) && !from.some((other) => same(rule, other)));
  if (gained.length === 0) return null;
  const everything = gained.some((rule) => isEmpty(member(rule, 'to')));
  // Somebody was named who may call, and now nobody is.
  const opens = from.length <= to.length && from.some((rule) => !to.some((other) => same(rule, other)));
  return opening(
    everything || opens ? 'high' : 'medium',
    'rule',
    'Any caller may send requests: a rule does not limit callers.',
  );
}

function isDenial(spec: Value): boolean {
  return text(member(spec, 'action')).toUpperCase() === 'DENY';
}

function admitsAnyone(rule: Value): boolean {
  if (!isEmpty(member(rule, 'when'))) return false;
  const sources = list(member(rule, 'from')).map((from) => member(from, 'source'));
  return sources.length === 0 || sources.some((source) => isEmpty(source) || isStar(source));
}

function isStar(source: Value): boolean {
  const names = ['principals', 'namespaces'].flatMap((name) => strings(member(source, name)));
  return names.includes('*') && isEmpty(member(source, 'not_principals'));
}

/** Requests without a token, or with a token of another issuer, are no longer refused. */
function findLostTokens(before: Value, after: Value): Opening | null {
  const lost = list(member(before, 'jwt_rules')).length > 0 && list(member(after, 'jwt_rules')).length === 0;
  return lost ? opening('high', 'jwt_rules', 'Tokens of callers are no longer verified.') : null;
}

/** Network policies: an entry without sources or targets admits all; one without a type restricts nothing. */
function findAllowedTraffic(before: Value, after: Value): Opening | null {
  for (const [way, peer] of WAYS) {
    const [from, to] = [list(member(before, way)), list(member(after, way))];
    const gained = to.filter((entry) => isOpenEntry(entry, peer) && !from.some((other) => same(entry, other)));
    if (gained.length === 0) continue;
    const any_port = gained.some((entry) => isEmpty(member(entry, 'port')) && isEmpty(member(entry, 'ports')));
    const level = way === 'ingress' && any_port ? 'high' : 'medium';
    return opening(level, way, way === 'ingress' ? 'Every source may connect.' : 'Every target may be reached.');
  }
  const lost = strings(member(before, 'policy_types')).filter(
    (type) => !strings(member(after, 'policy_types')).includes(type),
  );
  if (lost.length > 0 && strings(member(after, 'policy_types')).length > 0)
    return opening(
      'high',
      'policy_types',
      `The policy no longer restricts ${lost.join(' and ').toLowerCase()} traffic.`,
    );
  const [was, is] = [member(before, 'pod_selector'), member(after, 'pod_selector')];
  const is_narrower = isSelector(was) === false && isSelector(is) === true;
  return is_narrower ? opening('medium', 'pod_selector', 'The policy applies to fewer pods.') : null;
}

const WAYS = [
  ['ingress', 'from'],
  ['egress', 'to'],
] as const;

/** A new policy adds to what others admit, so one that admits everybody undoes them. */
function findAdmittedByNew(before: Value, after: Value): Opening | null {
  const found = findAllowedTraffic(before, after);
  return found !== null && found.level === 'high' && found.path[1] === 'ingress' ? found : null;
}

function isOpenEntry(entry: Value, peer: 'from' | 'to'): boolean {
  const peers = list(member(entry, peer));
  return peers.length === 0 || peers.some((one) => isEmpty(one) || isInternet(at(one, 'ip_block', 'cidr')));
}

function isInternet(cidr: Value): boolean {
  const range = parseCidr(text(cidr));
  return range !== undefined && isVastPublic(range);
}

/** Whether a selector names labels; undefined without a selector. */
function isSelector(value: Value): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return list(value).some((selector) =>
    ['match_labels', 'match_expressions'].some((name) => !isEmpty(member(selector, name))),
  );
}

/** Kyverno and Gatekeeper: what a policy leaves out, and whether it only reports. */
function findExemptions(before: Value, after: Value): Opening | null {
  const other = findWeakerMode(before, after) ?? findAllowedValues(before, after);
  if (other !== null) return other;
  const [from, to] = [listExempt(before), listExempt(after)];
  const gained = [...to].filter((name) => !from.has(name));
  if (gained.length === 0) return null;
  const all = gained.some((name) => /^[*/.]*$/.test(name) || name === '{}');
  return opening(
    all ? 'high' : 'medium',
    'match',
    all ? 'The policy leaves everything out.' : 'The policy leaves out more than before.',
  );
}

const EXEMPT = new Set([
  'exclude',
  'excluded_namespaces',
  'exempt_images',
  'exempted_namespaces',
  'exclude_resources',
  'excluded_users',
  'exempt_users',
]);
const MAX_DEPTH = 12;

/** Texts below members that exempt something. */
function listExempt(value: Value, is_exempt = false, depth = 0): Set<string> {
  const found = new Set<string>();
  if (depth > MAX_DEPTH || value === undefined || value === null) return found;
  if (typeof value !== 'object') return is_exempt ? found.add(String(value)) : found;
  for (const [name, inner] of Object.entries(value)) {
    for (const entry of listExempt(inner, is_exempt || EXEMPT.has(name), depth + 1)) found.add(entry);
  }
  return found;
}

const ALLOWS = /repo|image|registr|host|domain|prefix|allowed/;

/** Values that a constraint allows; an empty prefix or a star allows all. */
function findAllowedValues(before: Value, after: Value): Opening | null {
  const [from, to] = [member(before, 'parameters'), member(after, 'parameters')];
  for (const [name, value] of Object.entries(isObject(to) ? to : {})) {
    const was = list(member(from, name)).map(text);
    const gained = ALLOWS.test(name)
      ? list(value)
          .map(text)
          .filter((entry) => !was.includes(entry))
      : [];
    if (gained.length === 0 || was.length === 0) continue;
    const wide = gained.some((entry) => /^[*/.]*$/.test(entry) || was.some((known) => known.startsWith(entry)));
    return opening(
      wide ? 'high' : 'medium',
      'parameters',
      wide ? 'The policy allows everything.' : 'The policy allows more than before.',
    );
  }
  return null;
}

const STRICT = new Set(['deny', 'enforce', 'deny-all']);

function findWeakerMode(before: Value, after: Value): Opening | null {
  for (const name of ['validation_actions', 'enforcement_action', 'validation_failure_action', 'failure_action']) {
    const [was, is] = [strings(member(before, name)), strings(member(after, name))].map((words) =>
      words.map((word) => word.toLowerCase()),
    );
    if (!was!.some((word) => STRICT.has(word)) || is!.some((word) => STRICT.has(word)) || is!.length === 0) continue;
    return opening('high', name, 'The policy only reports what it refused before.');
  }
  return null;
}

function judge(find: FindOpening): (subject: Subject) => void {
  return (subject) => {
    const found = find(list(at(subject.before, 'spec'))[0], list(at(subject.after, 'spec'))[0]);
    if (found === null) return;
    const is_new = subject.mode === 'create';
    subject.add({
      rule: 'R-K8S-POLICY',
      level: is_new ? 'medium' : found.level,
      path: found.path,
      message: found.message,
    });
    subject.setDirection(found.path, 'weakening');
  };
}

const WATCHES = [{ path: 'spec' }];
const UPDATE = ['update'] as const;

export const CLUSTER_POLICY_RULES: readonly Rule[] = [
  {
    types: ['kubernetes_authorization_policy'],
    watches: WATCHES,
    modes: ['create', 'update'],
    find: judge(findAllowedCallers),
  },
  { types: ['kubernetes_request_authentication'], watches: WATCHES, modes: UPDATE, find: judge(findLostTokens) },
  {
    types: ['kubernetes_network_policy', 'kubernetes_network_policy_v1'],
    watches: WATCHES,
    modes: UPDATE,
    find: judge(findAllowedTraffic),
  },
  {
    types: ['kubernetes_network_policy', 'kubernetes_network_policy_v1'],
    watches: WATCHES,
    modes: ['create'],
    find: judge(findAdmittedByNew),
  },
  {
    types: [
      'kubernetes_cluster_policy',
      'kubernetes_policy',
      'kubernetes_validating_admission_policy_binding',
      'kubernetes_k8s*',
      'kubernetes_policy_exception',
    ],
    watches: WATCHES,
    modes: UPDATE,
    find: judge(findExemptions),
  },
];

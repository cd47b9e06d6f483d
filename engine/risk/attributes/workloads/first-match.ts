/** R-K8S-POLICY: lists of a cluster of which the first entry that matches decides, and entries that are never reached. */
import { compareConditions } from '../../../canonical/condition-alternatives.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { at, isEmpty, list, member, same, text } from '../values.ts';

interface OrderedList {
  types: readonly string[];
  path: readonly string[];
  /** Whether an entry takes everything, so that entries behind it are never reached. */
  takesAll(entry: Value): boolean;
}

/** A route takes everything without a match, or with one whose only test is the prefix of every path. */
function takesEveryRequest(route: Value): boolean {
  const matches = list(member(route, 'match'));
  return matches.length === 0 || matches.some((match) => isEmpty(match) || isEveryPath(match));
}

function isEveryPath(match: Value): boolean {
  const tests = Object.keys(typeof match === 'object' && match !== null ? match : {});
  return tests.length === 1 && tests[0] === 'uri' && text(at(match, 'uri', 'prefix')) === '/';
}

const LIMITS = ['source', 'destination', 'protocol', 'not_protocol', 'http', 'icmp', 'service_accounts'];

function takesEveryPacket(rule: Value): boolean {
  return (
    /^(?:allow|deny|pass)$/i.test(text(member(rule, 'action'))) && LIMITS.every((name) => isEmpty(member(rule, name)))
  );
}

function takesEveryAlert(route: Value): boolean {
  return isEmpty(member(route, 'matchers')) && member(route, 'continue') !== true;
}

const CALICO = ['kubernetes_global_network_policy', 'kubernetes_network_policy'];

const LISTS: readonly OrderedList[] = [
  ...['http', 'tls', 'tcp'].map(
    (name): OrderedList => ({
      types: ['kubernetes_virtual_service'],
      path: ['spec', name],
      takesAll: takesEveryRequest,
    }),
  ),
  ...['ingress', 'egress'].map(
    (name): OrderedList => ({ types: CALICO, path: ['spec', name], takesAll: takesEveryPacket }),
  ),
  { types: ['kubernetes_alertmanager_config'], path: ['spec', 'route', 'routes'], takesAll: takesEveryAlert },
];

/** Entries that something reached before, and that now stand behind one that takes everything. */
function judgeList({ path, takesAll }: OrderedList, subject: Subject): void {
  const [from, to] = [subject.before, subject.after].map((side) => list(at(side, ...path)));
  const end = to!.findIndex(takesAll);
  const earlier = from!.findIndex(takesAll);
  const reached = earlier < 0 ? from! : from!.slice(0, earlier);
  const hidden = end < 0 ? [] : to!.slice(end + 1);
  const lost = hidden.filter((entry) => reached.some((known) => same(known, entry)));
  if (lost.length === 0) return;
  const message = `Entries are never reached, because an earlier one takes everything: ${subject.formatPath(path)}.`;
  subject.add({ rule: 'R-K8S-POLICY', level: 'high', path, message });
  subject.setDirection(path, 'weakening');
}

const CHECKS = ['spec', '*', 'validations', '*', 'expression'];

/** A check of an admission policy admits what makes it true. */
function judgeChecks(subject: Subject): void {
  for (const { path, before, after, unknown } of subject.pairs(CHECKS)) {
    if (unknown || typeof before !== 'string' || typeof after !== 'string') continue;
    const change = compareConditions(before, after);
    if (change?.reach === 'narrower') subject.setDirection(path, 'strengthening');
    if (change?.reach !== 'wider') continue;
    const message = `The check also admits objects that it refused before: ${subject.formatPath(path)}.`;
    subject.add({ rule: 'R-K8S-POLICY', level: 'high', path, message });
    subject.setDirection(path, 'weakening');
  }
}

export const FIRST_MATCH_RULES: readonly Rule[] = [
  ...LISTS.map(
    (ordered): Rule => ({
      types: ordered.types,
      watches: [{ path: 'spec' }],
      modes: ['update'],
      find: (subject) => judgeList(ordered, subject),
    }),
  ),
  {
    types: ['kubernetes_validating_admission_policy'],
    watches: [{ path: 'spec' }],
    modes: ['update'],
    find: judgeChecks,
  },
];

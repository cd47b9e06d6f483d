import { parseCidr } from '../../../lib/cidr.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, quantity, strings, text } from '../values.ts';
import { judgeIngress } from './network.ts';
import { ALL_PORTS, combine, normalizeProtocol, type Opening, type Range } from './openings.ts';
import { asGrant, judgeMove, judgeOrder, type Ranked } from './precedence.ts';

/** Keywords for any address. */
const ANYWHERE = new Set(['*', 'any', 'internet']);

/** `AzureCloud` and its regions are the addresses that every customer of Azure can have. */
function isAnywhere(label: string): boolean {
  return ANYWHERE.has(label) || label === 'azurecloud' || label.startsWith('azurecloud.');
}
const SOURCES = ['source_address_prefix', 'source_address_prefixes', 'source_application_security_group_ids'];
const ATTRIBUTES = ['access', 'direction', 'protocol', 'destination_port_range', 'destination_port_ranges', ...SOURCES];

function openings(rule: Value, parent: Path): Opening[] {
  if (!is(rule, 'access', 'allow') || !is(rule, 'direction', 'inbound')) return [];
  const protocol = normalizeProtocol(text(member(rule, 'protocol')) || '*');
  const ranges = [
    ...strings(member(rule, 'destination_port_range')),
    ...strings(member(rule, 'destination_port_ranges')),
  ].map(parseRange);
  return combine(protocol, ranges, sources(rule, parent));
}

function sources(rule: Value, parent: Path): Pick<Opening, 'source' | 'label' | 'path'>[] {
  return SOURCES.flatMap((attribute) =>
    strings(member(rule, attribute)).flatMap((label) => {
      const path = [...parent, attribute];
      const blocks = isAnywhere(label.toLowerCase()) ? ['0.0.0.0/0', '::/0'] : [label];
      return blocks.map((block) => ({ source: parseCidr(block) ?? null, label, path }));
    }),
  );
}

function parseRange(range: string): Range {
  if (range === '*') return ALL_PORTS;
  const [from, to] = range.split('-').map((part) => quantity(part.trim()));
  return from === undefined ? ALL_PORTS : [from, to ?? from];
}

function is(rule: Value, attribute: string, value: string): boolean {
  return text(member(rule, attribute)).toLowerCase() === value;
}

function judgeRule(subject: Subject): void {
  const { before, after } = subject;
  judgeIngress(subject, { before: openings(before, []), after: openings(after, []), attributes: ATTRIBUTES });
  judgeDenied(subject, before, after, []);
  judgeAllPorts(subject, before, after);
  const both = (attribute: string, value: string): boolean =>
    is(before, attribute, value) && is(after, attribute, value);
  if (!both('direction', 'inbound') || !(both('access', 'deny') || both('access', 'allow'))) return;
  judgeMove(subject, { attribute: 'priority', denies: is(after, 'access', 'deny'), openings: openings(after, []) });
}

/** Checks for a rule that starts to allow every port, regardless of its sources. */
function judgeAllPorts(subject: Subject, before: Value, after: Value): void {
  const spansAll = (rule: Value): boolean => strings(member(rule, 'destination_port_range')).includes('*');
  if (
    !before ||
    !spansAll(after) ||
    spansAll(before) ||
    !is(after, 'access', 'allow') ||
    !is(after, 'direction', 'inbound')
  )
    return;
  subject.add({
    rule: `R-ATTR-${subject.type}.destination_port_range`,
    level: 'high',
    path: ['destination_port_range'],
    message: 'The sources of this rule can reach every port.',
  });
  subject.setDirection(['destination_port_range'], 'weakening');
}

function judgeGroup(subject: Subject): void {
  const rules = (side: Value): Opening[] =>
    list(member(side, 'security_rule')).flatMap((rule, index) => openings(rule, ['security_rule', index]));
  judgeIngress(subject, { before: rules(subject.before), after: rules(subject.after), attributes: ['security_rule'] });
  for (const { before, after, path } of subject.pairs(['security_rule', '*']))
    judgeDenied(subject, before, after, path);
  judgeOrder(subject, ranked(subject.before), ranked(subject.after));
}

function ranked(side: Value): Ranked[] {
  return list(member(side, 'security_rule')).map((rule, index) => {
    const path = ['security_rule', index];
    const granted = openings(asGrant(rule, 'access', 'Allow'), path);
    return {
      number: quantity(member(rule, 'priority')) ?? 0,
      denies: is(rule, 'access', 'deny'),
      openings: granted,
      path,
    };
  });
}

/** Checks for an inbound deny rule that is removed or changed to allow, regardless of its source. */
function judgeDenied(subject: Subject, before: Value, after: Value, parent: Path): void {
  if (!is(before, 'access', 'deny') || !is(before, 'direction', 'inbound')) return;
  if (after !== undefined && !is(after, 'access', 'allow')) return;
  const path = after === undefined ? parent : [...parent, 'access'];
  const message =
    after === undefined
      ? 'A rule that denies inbound traffic is removed.'
      : 'A rule for inbound traffic changes from deny to allow.';
  subject.add({ rule: `R-ATTR-${subject.type}.access`, level: 'high', path, message });
  subject.setDirection(path, 'weakening');
}

const HIDING = new Set(['source_address_prefix', 'source_address_prefixes']);

function watches(prefix: string): Rule['watches'] {
  return ATTRIBUTES.map((name) => (HIDING.has(name) ? { path: prefix + name, hides: true } : { path: prefix + name }));
}

export const AZURE_NETWORK_RULES: readonly Rule[] = [
  { types: ['azurerm_network_security_rule'], watches: [...watches(''), { path: 'priority' }], find: judgeRule },
  {
    types: ['azurerm_network_security_group'],
    watches: [...watches('security_rule.*.'), { path: 'security_rule.*.priority' }],
    find: judgeGroup,
  },
];

import { parseCidr } from '../../../lib/cidr.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { isEmpty, list, member, quantity, strings, text, truth } from '../values.ts';
import { judgeIngress } from './network.ts';
import { ALL_PORTS, combine, normalizeProtocol, type Opening, type Range } from './openings.ts';
import { judgeMove } from './precedence.ts';

const SOURCES = ['source_ranges', 'source_tags', 'source_service_accounts'];
const ATTRIBUTES = ['direction', 'disabled', 'allow', 'deny', 'priority', ...SOURCES];
const POLICY_ATTRIBUTES = ['action', 'direction', 'disabled', 'match'];

function ranges(ports: Value): Range[] {
  const named = strings(ports).map((port): Range => {
    const [from, to] = port.split('-').map((part) => quantity(part.trim()));
    return from === undefined ? ALL_PORTS : [from, to ?? from];
  });
  return named.length === 0 ? [ALL_PORTS] : named;
}

function isActiveIngress(rule: Value): boolean {
  return (
    truth(member(rule, 'disabled')) !== true &&
    (text(member(rule, 'direction')) || 'INGRESS').toUpperCase() === 'INGRESS'
  );
}

function openings(rule: Value, unknown: Subject['isUnknown']): Opening[] {
  if (!isActiveIngress(rule)) return [];
  const sources = readSources(rule, unknown);
  return list(member(rule, 'allow')).flatMap((block) => {
    const protocol = normalizeProtocol(text(member(block, 'protocol')) || 'all');
    return combine(protocol, ranges(member(block, 'ports')), sources);
  });
}

/** Returns the sources of a rule. A rule without sources allows every address. */
function readSources(rule: Value, unknown: Subject['isUnknown']): Pick<Opening, 'source' | 'label' | 'path'>[] {
  if (SOURCES.every((name) => isEmpty(member(rule, name)) && !unknown(name))) {
    return [{ source: parseCidr('0.0.0.0/0')!, label: '0.0.0.0/0', path: ['source_ranges'] }];
  }
  return SOURCES.flatMap((name) =>
    strings(member(rule, name)).map((label, index) => ({
      source: name === 'source_ranges' ? (parseCidr(label) ?? null) : null,
      label,
      path: [name, index],
    })),
  );
}

function judgeFirewall(subject: Subject): void {
  const { before, after } = subject;
  const known = (): boolean => false;
  judgeIngress(subject, {
    before: before ? openings(before, known) : [],
    after: after ? openings(after, (...path) => subject.isUnknown(...path)) : [],
    attributes: ATTRIBUTES.filter((name) => name !== 'priority'),
  });
  judgeDeny(subject, before, after);
  judgePriority(subject);
}

/** The priority of a firewall rule that sets none. */
const DEFAULT_PRIORITY = 1000;

function judgePriority(subject: Subject): void {
  const { before, after } = subject;
  if (!isActiveIngress(before) || !isActiveIngress(after)) return;
  const denies = !isEmpty(member(after, 'deny'));
  if (denies !== !isEmpty(member(before, 'deny'))) return;
  judgeMove(subject, {
    attribute: 'priority',
    denies,
    openings: openings(after, () => false),
    defaultPriority: DEFAULT_PRIORITY,
  });
}

/** Checks for a deny rule that is disabled or emptied. */
function judgeDeny(subject: Subject, before: Value, after: Value): void {
  if (!isActiveIngress(before) || isEmpty(member(before, 'deny'))) return;
  const off = !isActiveIngress(after);
  if (!off && !isEmpty(member(after, 'deny'))) return;
  const path: Path = off && truth(member(after, 'disabled')) === true ? ['disabled'] : ['deny'];
  subject.add({
    rule: `R-ATTR-${subject.type}.deny`,
    level: 'high',
    path,
    message: 'A rule that denies inbound traffic is disabled or emptied.',
  });
  subject.setDirection(path, 'weakening');
}

function policyOpenings(rule: Value): Opening[] {
  if (!isActiveIngress(rule) || text(member(rule, 'action')) !== 'allow') return [];
  const blocks = list(member(rule, 'match'))[0];
  const path = ['match', 0, 'src_ip_ranges'];
  const sources = strings(member(blocks, 'src_ip_ranges')).map((label) => {
    return { source: parseCidr(label) ?? null, label, path };
  });
  return list(member(blocks, 'layer4_configs')).flatMap((block) => {
    const protocol = normalizeProtocol(text(member(block, 'ip_protocol')) || 'all');
    return combine(protocol, ranges(member(block, 'ports')), sources);
  });
}

function judgePolicyRule(subject: Subject): void {
  judgeIngress(subject, {
    before: policyOpenings(subject.before),
    after: policyOpenings(subject.after),
    attributes: POLICY_ATTRIBUTES,
  });
  if (!isActiveIngress(subject.before) || !isActiveIngress(subject.after)) return;
  const [was, is] = [text(member(subject.before, 'action')), text(member(subject.after, 'action'))];
  if (was !== is || (is !== 'allow' && is !== 'deny')) return;
  judgeMove(subject, { attribute: 'priority', denies: is === 'deny', openings: policyOpenings(subject.after) });
}

export const GOOGLE_NETWORK_RULES: readonly Rule[] = [
  {
    types: ['google_compute_firewall'],
    watches: ATTRIBUTES.map((path) => ({ path })),
    find: judgeFirewall,
  },
  {
    types: [
      'google_compute_firewall_policy_rule',
      'google_compute_network_firewall_policy_rule',
      'google_compute_region_network_firewall_policy_rule',
    ],
    watches: [
      ...[...POLICY_ATTRIBUTES, 'priority'].map((path) => ({ path })),
      { path: 'match.*.src_ip_ranges', hides: true as const },
    ],
    find: judgePolicyRule,
  },
];

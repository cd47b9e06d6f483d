import { parseCidr } from '../../../lib/cidr.ts';
import type { Subject } from '../subject.ts';
import type { Path, Rule, Value } from '../types.ts';
import { list, member, quantity, strings, text, truth } from '../values.ts';
import { judgeEgress, judgeIngress } from './network.ts';
import { ALL_PORTS, normalizeProtocol, type Opening } from './openings.ts';
import { asGrant, judgeMove, judgeOrder, type Ranked } from './precedence.ts';

/** Attributes of a security group rule that name a source. */
const SOURCES = ['cidr_blocks', 'ipv6_cidr_blocks', 'prefix_list_ids', 'security_groups', 'source_security_group_id'];
const SINGLE_SOURCES = ['cidr_ipv4', 'cidr_ipv6', 'prefix_list_id', 'referenced_security_group_id'];
const RULE_ATTRIBUTES = ['type', 'protocol', 'from_port', 'to_port', ...SOURCES];
const SINGLE_ATTRIBUTES = ['ip_protocol', 'from_port', 'to_port', ...SINGLE_SOURCES];
const ACL_ATTRIBUTES = ['egress', 'rule_action', 'protocol', 'from_port', 'to_port', 'cidr_block', 'ipv6_cidr_block'];

function ports(block: Value, protocol: string): readonly [number, number] {
  const from = quantity(member(block, 'from_port'));
  const to = quantity(member(block, 'to_port'));
  if (protocol === 'all' || from === undefined || from < 0) return ALL_PORTS;
  return [from, to === undefined || to < from ? from : to];
}

function openings(block: Value, parent: Path, protocolName: string, sources: readonly string[]): Opening[] {
  const protocol = normalizeProtocol(text(member(block, protocolName)) || 'all');
  const [from, to] = ports(block, protocol);
  const out: Opening[] = [];
  for (const attribute of sources) {
    const value = member(block, attribute);
    const path = [...parent, attribute];
    strings(value).forEach((label, index) => {
      out.push({
        protocol,
        from,
        to,
        source: parseCidr(label) ?? null,
        label,
        path: Array.isArray(value) ? [...path, index] : path,
      });
    });
  }
  return out;
}

function inline(value: Value, attribute: string): Opening[] {
  return list(value).flatMap((block, index) => openings(block, [attribute, index], 'protocol', SOURCES));
}

function judgeGroup(subject: Subject): void {
  const side = (value: Value, attribute: string): Opening[] => inline(member(value, attribute), attribute);
  const { before, after } = subject;
  judgeIngress(subject, { before: side(before, 'ingress'), after: side(after, 'ingress'), attributes: ['ingress'] });
  judgeEgress(subject, { before: side(before, 'egress'), after: side(after, 'egress') });
}

/** Checks the default group, which applies to resources without a group and should allow only its own members. */
function judgeDefaultGroup(subject: Subject): void {
  judgeGroup(subject);
  const { before, after } = subject;
  const opened = inline(member(after, 'ingress'), 'ingress');
  if (opened.length === 0 || inline(member(before, 'ingress'), 'ingress').length > 0) return;
  subject.add({
    rule: 'R-ATTR-aws_default_security_group.ingress',
    level: subject.mode === 'create' ? 'medium' : 'high',
    path: ['ingress'],
    message: 'The default security group, which applies to resources without another group, starts to allow ingress.',
  });
  subject.setDirection(['ingress'], 'weakening');
}

function judgeRule(subject: Subject): void {
  const { before, after } = subject;
  const readOpenings = (value: Value, type: string): Opening[] =>
    text(member(value, 'type')) === type ? openings(value, [], 'protocol', SOURCES) : [];
  judgeIngress(subject, {
    before: readOpenings(before, 'ingress'),
    after: readOpenings(after, 'ingress'),
    attributes: RULE_ATTRIBUTES,
  });
  judgeEgress(subject, { before: readOpenings(before, 'egress'), after: readOpenings(after, 'egress') });
}

function judgeIngressRule(subject: Subject): void {
  const { before, after } = subject;
  const readOpenings = (value: Value): Opening[] => openings(value, [], 'ip_protocol', SINGLE_SOURCES);
  judgeIngress(subject, { before: readOpenings(before), after: readOpenings(after), attributes: SINGLE_ATTRIBUTES });
}

function judgeEgressRule(subject: Subject): void {
  const { before, after } = subject;
  const readOpenings = (value: Value): Opening[] => openings(value, [], 'ip_protocol', SINGLE_SOURCES);
  judgeEgress(subject, { before: readOpenings(before), after: readOpenings(after) });
}

/** Checks the entries of a prefix list. Their ports are defined by the groups that use the list. */
function judgePrefixList(subject: Subject): void {
  const { before, after } = subject;
  const readOpenings = (value: Value): Opening[] => {
    const entries = member(value, 'entry') === undefined ? [value ?? null] : list(member(value, 'entry'));
    const parent: Path = member(value, 'entry') === undefined ? [] : ['entry'];
    return entries.flatMap((entry, index) => {
      const label = text(member(entry, 'cidr'));
      const path = parent.length === 0 ? ['cidr'] : [...parent, index, 'cidr'];
      return label === ''
        ? []
        : [{ protocol: 'unnamed', from: 0, to: 0, source: parseCidr(label) ?? null, label, path }];
    });
  };
  judgeIngress(subject, { before: readOpenings(before), after: readOpenings(after), attributes: ['entry', 'cidr'] });
}

function aclOpenings(block: Value, parent: Path, actionName: string): Opening[] {
  if (text(member(block, actionName)) !== 'allow') return [];
  return openings(block, parent, 'protocol', ['cidr_block', 'ipv6_cidr_block']);
}

function judgeAcl(subject: Subject): void {
  const { before, after } = subject;
  const readOpenings = (value: Value): Opening[] =>
    list(member(value, 'ingress')).flatMap((block, index) => aclOpenings(block, ['ingress', index], 'action'));
  judgeIngress(subject, {
    before: readOpenings(before),
    after: readOpenings(after),
    attributes: ['ingress'],
    ceiling: 'medium',
  });
  const denied = new Set(
    list(member(before, 'ingress'))
      .filter((block) => text(member(block, 'action')) === 'deny')
      .map((block) => text(member(block, 'rule_no'))),
  );
  list(member(after, 'ingress')).forEach((block, index) => {
    const number = text(member(block, 'rule_no'));
    if (text(member(block, 'action')) === 'allow' && denied.has(number))
      reportAllowed(subject, ['ingress', index, 'action'], number);
  });
  judgeOrder(subject, ranked(before), ranked(after));
}

function ranked(acl: Value): Ranked[] {
  return list(member(acl, 'ingress')).map((block, index) => {
    const path = ['ingress', index];
    const denies = text(member(block, 'action')) === 'deny';
    const granted = aclOpenings(asGrant(block, 'action', 'allow'), path, 'action');
    return { number: quantity(member(block, 'rule_no')) ?? 0, denies, openings: granted, path };
  });
}

function judgeAclRule(subject: Subject): void {
  const { before, after } = subject;
  const readOpenings = (value: Value): Opening[] =>
    truth(member(value, 'egress')) === true ? [] : aclOpenings(value, [], 'rule_action');
  judgeIngress(subject, {
    before: readOpenings(before),
    after: readOpenings(after),
    attributes: ACL_ATTRIBUTES,
    ceiling: 'medium',
  });
  const isIngress = truth(member(after, 'egress')) !== true;
  if (isIngress && text(member(before, 'rule_action')) === 'deny' && text(member(after, 'rule_action')) === 'allow') {
    reportAllowed(subject, ['rule_action'], text(member(after, 'rule_number')));
  }
  if (!isIngress || text(member(before, 'rule_action')) !== text(member(after, 'rule_action'))) return;
  const denies = text(member(after, 'rule_action')) === 'deny';
  judgeMove(subject, { attribute: 'rule_number', denies, openings: readOpenings(after) });
}

function reportAllowed(subject: Subject, path: Path, number: string): void {
  subject.add({
    rule: `R-ATTR-${subject.type}.action`,
    level: 'high',
    path,
    message: `Network ACL rule ${subject.quoteAll(path, [number])} changes from deny to allow.`,
  });
  subject.setDirection(path, 'weakening');
}

/** Unknown sources may be any address, so they are also reported on create; unknown ports are not. */
function watches(attributes: readonly string[]): Rule['watches'] {
  return attributes.map((path) => (path.includes('cidr') ? { path, hides: true } : { path }));
}

const BLOCK = ['protocol', 'from_port', 'to_port', ...SOURCES];

export const AWS_NETWORK_RULES: readonly Rule[] = [
  {
    types: ['aws_security_group'],
    watches: watches(['ingress', 'egress'].flatMap((side) => BLOCK.map((name) => `${side}.*.${name}`))),
    find: judgeGroup,
  },
  {
    types: ['aws_default_security_group'],
    watches: watches(['ingress', 'egress'].flatMap((side) => BLOCK.map((name) => `${side}.*.${name}`))),
    find: judgeDefaultGroup,
  },
  { types: ['aws_security_group_rule'], watches: watches(RULE_ATTRIBUTES), find: judgeRule },
  { types: ['aws_vpc_security_group_ingress_rule'], watches: watches(SINGLE_ATTRIBUTES), find: judgeIngressRule },
  { types: ['aws_vpc_security_group_egress_rule'], watches: watches(SINGLE_ATTRIBUTES), find: judgeEgressRule },
  { types: ['aws_ec2_managed_prefix_list'], watches: watches(['entry.*.cidr']), find: judgePrefixList },
  { types: ['aws_ec2_managed_prefix_list_entry'], watches: watches(['cidr']), find: judgePrefixList },
  { types: ['aws_network_acl', 'aws_default_network_acl'], watches: watches(['ingress']), find: judgeAcl },
  { types: ['aws_network_acl_rule'], watches: watches([...ACL_ATTRIBUTES, 'rule_number']), find: judgeAclRule },
];

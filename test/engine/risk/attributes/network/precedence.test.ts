import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/result.ts';
import { findings, judge } from '../judging.ts';

type Row = [title: string, from: number, to: number, level: string | undefined];

const judgeLevel = (type: string, before: JsonObject, after: JsonObject) =>
  judge('update', type, { before, after })[`R-ATTR-${type}.priority`];

describe('a rule that refuses', () => {
  const deny = {
    direction: 'INGRESS',
    allow: [],
    deny: [{ protocol: 'tcp', ports: ['22'] }],
    source_ranges: ['0.0.0.0/0'],
  };
  test.each<Row>([
    ['moves behind the number of most rules', 900, 65000, 'high'],
    ['moves just behind it', 900, 1100, 'high'],
    ['makes room before it', 500, 510, 'medium'],
    ['moves to the front', 65000, 900, undefined],
  ])('Google: it %s', (_, from, to, level) => {
    expect(judgeLevel('google_compute_firewall', { ...deny, priority: from }, { ...deny, priority: to })).toBe(level);
  });

  const azure = {
    access: 'Deny',
    direction: 'Inbound',
    protocol: '*',
    source_address_prefix: '*',
    destination_port_range: '22',
  };
  test.each<Row>([
    ['moves far back', 100, 4000, 'high'],
    ['makes room', 100, 110, 'medium'],
    ['moves to the front', 4000, 100, undefined],
  ])('Azure: it %s', (_, from, to, level) => {
    expect(judgeLevel('azurerm_network_security_rule', { ...azure, priority: from }, { ...azure, priority: to })).toBe(
      level,
    );
  });

  test('asked earlier it is a hardening', () => {
    const sides = { before: { ...deny, priority: 65000 }, after: { ...deny, priority: 900 } };
    const { change } = findings('update', 'google_compute_firewall', sides);

    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });
});

describe('a rule that lets in', () => {
  const allow = (port: string, source: string) => ({
    direction: 'INGRESS',
    allow: [{ protocol: 'tcp', ports: [port] }],
    deny: [],
    source_ranges: [source],
  });
  test.each<[title: string, rule: JsonObject, from: number, to: number, level: string | undefined]>([
    ['the world to a management port, moves to the front', allow('22', '0.0.0.0/0'), 2000, 100, 'high'],
    ['the world to a web port, moves to the front', allow('443', '0.0.0.0/0'), 2000, 100, 'medium'],
    ['an office, moves to the front', allow('22', '198.51.100.0/24'), 2000, 100, 'medium'],
    ['the world, moves to the back', allow('22', '0.0.0.0/0'), 100, 2000, undefined],
  ])('%s', (_, rule, from, to, level) => {
    expect(judgeLevel('google_compute_firewall', { ...rule, priority: from }, { ...rule, priority: to })).toBe(level);
  });
});

describe('rules that stand together', () => {
  const rule = (name: string, priority: number, access: string, source = '*', port = '22') => ({
    name,
    priority,
    access,
    direction: 'Inbound',
    protocol: 'Tcp',
    source_address_prefix: source,
    destination_port_range: port,
  });
  const group = (...security_rule: JsonObject[]) => ({ security_rule });
  test.each<[title: string, before: JsonObject, after: JsonObject, level: string | undefined]>([
    [
      'a grant passes the refusal of the same traffic',
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '198.51.100.0/24')),
      group(rule('no', 300, 'Deny'), rule('yes', 200, 'Allow', '198.51.100.0/24')),
      'high',
    ],
    [
      'a grant of another port passes it',
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '*', '443')),
      group(rule('no', 300, 'Deny'), rule('yes', 200, 'Allow', '*', '443')),
      undefined,
    ],
    [
      'the refusal passes the grant',
      group(rule('no', 300, 'Deny'), rule('yes', 200, 'Allow', '10.0.0.0/8')),
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '10.0.0.0/8')),
      undefined,
    ],
    [
      'all are numbered anew',
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '10.0.0.0/8')),
      group(rule('no', 1000, 'Deny'), rule('yes', 2000, 'Allow', '10.0.0.0/8')),
      undefined,
    ],
  ])('Azure: %s', (_, before, after, level) => {
    expect(judgeLevel('azurerm_network_security_group', before, after)).toBe(level);
  });

  test('a network ACL is read in the same way', () => {
    const entry = (rule_no: number, action: string, cidr_block: string) => ({
      rule_no,
      action,
      protocol: 'tcp',
      from_port: 22,
      to_port: 22,
      cidr_block,
    });
    const before = { ingress: [entry(90, 'deny', '0.0.0.0/0'), entry(100, 'allow', '10.0.0.0/8')] };
    const after = { ingress: [entry(110, 'deny', '0.0.0.0/0'), entry(100, 'allow', '10.0.0.0/8')] };

    expect(judgeLevel('aws_network_acl', before, after)).toBe('high');
    expect(judgeLevel('aws_network_acl', after, before)).toBeUndefined();
  });
});

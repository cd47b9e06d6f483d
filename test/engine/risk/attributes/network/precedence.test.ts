import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

type Row = [title: string, from: number, to: number, level: string | undefined];

const judgeLevel = (type: string, before: JsonObject, after: JsonObject) =>
  judge('update', type, { before, after })[`R-ATTR-${type}.priority`];

describe('the priority of a deny rule', () => {
  const deny = {
    direction: 'INGRESS',
    allow: [],
    deny: [{ protocol: 'tcp', ports: ['22'] }],
    source_ranges: ['0.0.0.0/0'],
  };
  test.each<Row>([
    ['is high when it moves after the default priority', 900, 65000, 'high'],
    ['is high when it moves just after the default priority', 900, 1100, 'high'],
    ['is medium when it moves slightly', 500, 510, 'medium'],
    ['gives no reason when it moves to the front', 65000, 900, undefined],
  ])('of Google %s', (_, from, to, level) => {
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
    ['is high when it moves far back', 100, 4000, 'high'],
    ['is medium when it moves slightly', 100, 110, 'medium'],
    ['gives no reason when it moves to the front', 4000, 100, undefined],
  ])('of Azure %s', (_, from, to, level) => {
    expect(judgeLevel('azurerm_network_security_rule', { ...azure, priority: from }, { ...azure, priority: to })).toBe(
      level,
    );
  });

  test('strengthens when it moves to the front', () => {
    const sides = { before: { ...deny, priority: 65000 }, after: { ...deny, priority: 900 } };
    const { change } = findings('update', 'google_compute_firewall', sides);

    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });
});

describe('the priority of an allow rule', () => {
  const allow = (port: string, source: string) => ({
    direction: 'INGRESS',
    allow: [{ protocol: 'tcp', ports: [port] }],
    deny: [],
    source_ranges: [source],
  });
  test.each<[title: string, rule: JsonObject, from: number, to: number, level: string | undefined]>([
    [
      'is high when a rule that opens a management port to the internet moves to the front',
      allow('22', '0.0.0.0/0'),
      2000,
      100,
      'high',
    ],
    [
      'is medium when a rule that opens a web port to the internet moves to the front',
      allow('443', '0.0.0.0/0'),
      2000,
      100,
      'medium',
    ],
    [
      'is medium when a rule for a private source moves to the front',
      allow('22', '198.51.100.0/24'),
      2000,
      100,
      'medium',
    ],
    ['gives no reason when a rule for the internet moves to the back', allow('22', '0.0.0.0/0'), 100, 2000, undefined],
  ])('%s', (_, rule, from, to, level) => {
    expect(judgeLevel('google_compute_firewall', { ...rule, priority: from }, { ...rule, priority: to })).toBe(level);
  });
});

describe('the order of rules in one group', () => {
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
      'is high when an allow rule moves before a deny rule for the same traffic',
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '198.51.100.0/24')),
      group(rule('no', 300, 'Deny'), rule('yes', 200, 'Allow', '198.51.100.0/24')),
      'high',
    ],
    [
      'gives no reason when the allow rule is for another port',
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '*', '443')),
      group(rule('no', 300, 'Deny'), rule('yes', 200, 'Allow', '*', '443')),
      undefined,
    ],
    [
      'gives no reason when the deny rule moves before the allow rule',
      group(rule('no', 300, 'Deny'), rule('yes', 200, 'Allow', '10.0.0.0/8')),
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '10.0.0.0/8')),
      undefined,
    ],
    [
      'gives no reason when all rules are renumbered in the same order',
      group(rule('no', 100, 'Deny'), rule('yes', 200, 'Allow', '10.0.0.0/8')),
      group(rule('no', 1000, 'Deny'), rule('yes', 2000, 'Allow', '10.0.0.0/8')),
      undefined,
    ],
  ])('of Azure %s', (_, before, after, level) => {
    expect(judgeLevel('azurerm_network_security_group', before, after)).toBe(level);
  });

  test('is also checked for network ACLs', () => {
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

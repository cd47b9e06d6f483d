import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

const ingress = (...blocks: string[]) => ({
  ingress: blocks.map((block) => ({ protocol: 'tcp', from_port: 443, to_port: 443, cidr_blocks: [block] })),
});
const nsg = (...accesses: string[]) => ({
  security_rule: accesses.map((access) => ({
    name: access,
    access,
    direction: 'Inbound',
    protocol: 'Tcp',
    destination_port_range: '443',
    source_address_prefix: '10.0.0.0/8',
  })),
});

describe('a list of allowed entries', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['aws_security_group', ingress('10.0.0.0/16', '10.1.0.0/16'), ingress(), ingress('10.0.0.0/16')],
    ['azurerm_network_security_group', nsg('Allow', 'Deny'), nsg('Deny'), nsg('Deny', 'Allow')],
    ['aws_iam_group_membership', { users: ['a', 'b'] }, { users: [] }, { users: ['b'] }],
    ['google_compute_backend_service', { backend: [{ group: 'a' }] }, { backend: [] }, { backend: [{ group: 'b' }] }],
  ])(
    'in %s is medium when it becomes empty and gives no reason when one entry is removed',
    (type, before, emptied, fewer) => {
      const { reasons, weakens_high } = findings('update', type, { before, after: emptied });
      expect(reasons.find(({ rule_id }) => rule_id.startsWith(`R-ATTR-${type}.`))?.level).toBe('medium');
      expect(weakens_high).toBe(false);
      for (const [from, to] of [
        [before, fewer],
        [emptied, before],
        [emptied, emptied],
      ])
        expect(Object.keys(judge('update', type, { before: from!, after: to! }))).toEqual([]);
    },
  );

  test('does not count as empty when it is absent or unknown until apply', () => {
    const before = { users: ['a'] };
    expect(judge('update', 'aws_iam_group_membership', { before, after: { users: null } })).toEqual({});
    const unknown = { users: true };
    expect(judge('update', 'aws_iam_group_membership', { before, after: {}, unknown })).not.toHaveProperty([
      'R-ATTR-aws_iam_group_membership.users',
    ]);
  });
});

describe('a queue', () => {
  const managed = { sqs_managed_sse_enabled: true, kms_master_key_id: '' };
  const clear = { sqs_managed_sse_enabled: false, kms_master_key_id: '' };
  const own = { sqs_managed_sse_enabled: false, kms_master_key_id: 'alias/own' };

  test('without any key is reported as unencrypted', () => {
    expect(judge('update', 'aws_sqs_queue', { before: managed, after: clear })).toEqual({ 'R-ENC-OFF': 'high' });
    expect(judge('update', 'aws_sqs_queue', { before: own, after: clear })['R-ENC-OFF']).toBe('high');
    expect(judge('create', 'aws_sqs_queue', { after: clear })).toEqual({ 'R-ENC-OFF': 'medium' });
  });

  test('gives no reason when it uses its own key or gets a key', () => {
    expect(judge('update', 'aws_sqs_queue', { before: managed, after: own })).toEqual({});
    expect(judge('update', 'aws_sqs_queue', { before: clear, after: managed })).toEqual({});
    expect(judge('create', 'aws_sqs_queue', { after: own })).toEqual({});
  });
});

describe('an Azure firewall', () => {
  const rule = (address: string, port: string) => ({
    name: 'all',
    source_addresses: [address],
    destination_addresses: ['*'],
    destination_ports: [port],
  });
  const collection = (action: string, address: string, port: string) => ({ action, rule: [rule(address, port)] });

  test('with a new rule that allows all traffic is high', () => {
    const type = 'azurerm_firewall_network_rule_collection';
    const after = collection('Allow', '*', '*');
    for (const before of [
      collection('Allow', '10.0.0.0/8', '*'),
      collection('Allow', '*', '443'),
      collection('Deny', '*', '*'),
    ]) {
      expect(judge('update', type, { before, after })).toEqual({ 'R-NET-OPEN': 'high' });
      expect(judge('update', type, { before: after, after: before })).toEqual({});
    }
  });

  test('with such a rule in a group of collections is high, too', () => {
    const group = (address: string) => ({ network_rule_collection: [collection('Allow', address, '*')] });
    const type = 'azurerm_firewall_policy_rule_collection_group';
    expect(judge('update', type, { before: group('10.0.0.0/8'), after: group('*') })).toEqual({ 'R-NET-OPEN': 'high' });
    expect(judge('create', type, { after: group('10.0.0.0/8') })).toEqual({});
  });
});

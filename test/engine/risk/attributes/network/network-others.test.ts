import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judge } from '../judging.ts';

const droplet = (port_range: string, ...source_addresses: string[]) => ({
  inbound_rule: [{ protocol: 'tcp', port_range, source_addresses }],
});
const hetzner = (port: string, direction: string, ...source_ips: string[]) => ({
  rule: [{ direction, protocol: 'tcp', port, source_ips }],
});
const linode = (ports: string, action: string, ...ipv6: string[]) => ({
  inbound: [{ action, protocol: 'TCP', ports, ipv4: [], ipv6 }],
});
const openstack = (direction: string, port: number | null, remote_ip_prefix: string) => ({
  direction,
  protocol: 'tcp',
  port_range_min: port,
  port_range_max: port,
  remote_ip_prefix,
});
const alicloud = (port_range: string, cidr_ip: string) => ({
  type: 'ingress',
  ip_protocol: 'tcp',
  port_range,
  cidr_ip,
});

describe('a packet filter of a smaller cloud', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['digitalocean_firewall', droplet('22', '10.0.0.0/8'), droplet('22', '0.0.0.0/0', '::/0'), 'critical'],
    ['digitalocean_firewall', droplet('all', '10.0.0.0/8'), droplet('all', '0.0.0.0/0'), 'critical'],
    ['digitalocean_firewall', droplet('443', '10.0.0.0/8'), droplet('443', '0.0.0.0/0'), 'medium'],
    ['hcloud_firewall', hetzner('3306', 'in', '10.0.0.0/8'), hetzner('3306', 'in', '::/0'), 'critical'],
    [
      'linode_firewall',
      linode('22, 8000-9000', 'ACCEPT', 'fd00::/8'),
      linode('22, 8000-9000', 'ACCEPT', '::/0'),
      'critical',
    ],
    ['linode_firewall', linode('8080', 'DROP', '::/0'), linode('8080', 'ACCEPT', '::/0'), 'high'],
    [
      'openstack_networking_secgroup_rule_v2',
      openstack('ingress', 22, '10.0.0.0/8'),
      openstack('ingress', 22, '0.0.0.0/0'),
      'critical',
    ],
    [
      'openstack_networking_secgroup_rule_v2',
      openstack('ingress', 8080, '0.0.0.0/0'),
      openstack('ingress', null, '0.0.0.0/0'),
      'critical',
    ],
    ['alicloud_security_group_rule', alicloud('20/30', '10.0.0.0/8'), alicloud('20/30', '0.0.0.0/0'), 'critical'],
    ['alicloud_security_group_rule', alicloud('443/443', '0.0.0.0/0'), alicloud('-1/-1', '0.0.0.0/0'), 'critical'],
  ])('%s: changing %j to %j has the level %s', (type, safe, dangerous, level) => {
    expect(judge('update', type, { before: safe, after: dangerous })['R-NET-OPEN']).toBe(level);
    expect(judge('update', type, { before: dangerous, after: safe })).toEqual({});
    expect(judge('create', type, { after: safe })['R-NET-OPEN'] ?? 'low').not.toBe(level);
  });

  test('opens nothing with egress or drop rules', () => {
    expect(judge('create', 'hcloud_firewall', { after: hetzner('22', 'out', '0.0.0.0/0') })).toEqual({});
    expect(judge('create', 'linode_firewall', { after: linode('22', 'DROP', '::/0') })).toEqual({});
    const after = openstack('egress', 22, '0.0.0.0/0');
    expect(judge('create', 'openstack_networking_secgroup_rule_v2', { after })).toEqual({});
  });
});

test('turning off encryption is high for any provider, and an absent value gives no reason', () => {
  const change = (before: JsonObject, after: JsonObject) => judge('update', 'acme_disk', { before, after });
  expect(change({ encrypted: true }, { encrypted: false })).toEqual({ 'R-ENC-OFF': 'high' });
  expect(change({ encrypted: false }, { encrypted: true })).toEqual({});
  expect(change({ encrypted: true }, { encrypted: null })).toEqual({});
  expect(judge('create', 'acme_disk', { after: { encrypted: false } })).toEqual({});
});

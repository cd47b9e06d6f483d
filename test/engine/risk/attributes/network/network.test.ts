import { describe, expect, test } from '@jest/globals';
import { findings, judge } from '../judging.ts';

const rule = (from_port: number, to_port: number, cidrs: string[], protocol = 'tcp') => ({
  from_port,
  to_port,
  protocol,
  cidr_blocks: cidrs,
  ipv6_cidr_blocks: [],
  prefix_list_ids: [],
  security_groups: [],
  self: false,
});
const group = (...ingress: ReturnType<typeof rule>[]) => ({ name: 'web', ingress, egress: [] });

describe('a security group', () => {
  test.each([
    ['port 22', rule(22, 22, ['0.0.0.0/0']), 'critical'],
    ['a range that contains a database port', rule(5000, 6000, ['0.0.0.0/0']), 'critical'],
    ['every port', rule(0, 65535, ['0.0.0.0/0']), 'critical'],
    ['every protocol', rule(0, 0, ['0.0.0.0/0'], '-1'), 'critical'],
    ['port 443', rule(443, 443, ['0.0.0.0/0']), 'medium'],
    ['port 80', rule(80, 80, ['0.0.0.0/0']), 'medium'],
    ['ports 80 to 443', rule(80, 443, ['0.0.0.0/0']), 'high'],
    ['port 8080', rule(8080, 8080, ['0.0.0.0/0']), 'high'],
    ['ICMP', rule(-1, -1, ['0.0.0.0/0'], 'icmp'), 'low'],
    ['port 22 to an unusual notation of the internet', rule(22, 22, ['67.221.169.243/0']), 'critical'],
  ])('that opens %s is rated by its ports on create and update', (_, opened, level) => {
    expect(judge('update', 'aws_security_group', { before: group(), after: group(opened) })['R-NET-OPEN']).toBe(level);
    expect(judge('create', 'aws_security_group', { after: group(opened) })['R-NET-OPEN']).toBe(level);
  });

  test('gives no reason for private sources', () => {
    expect(
      judge('update', 'aws_security_group', { before: group(), after: group(rule(22, 22, ['10.0.0.0/16'])) }),
    ).toEqual({});
  });

  test('marks the opened block as weakening and names its port and source', () => {
    const { change, reasons, weakens_high } = findings('update', 'aws_security_group', {
      before: group(rule(22, 22, ['10.0.0.0/24'])),
      after: group(rule(22, 22, ['0.0.0.0/0'])),
    });
    expect(weakens_high).toBe(true);
    expect(change.diffs.map(({ path, direction }) => [path, direction])).toEqual([
      ['ingress[0].cidr_blocks[0]', 'weakening'],
    ]);
    expect(reasons[0]).toMatchObject({
      rule_id: 'R-NET-OPEN',
      path: 'ingress[0].cidr_blocks[0]',
      kind: 'attribute',
      effect: 'raise',
    });
    expect(reasons[0]!.message).toContain('0.0.0.0/0');
    expect(reasons[0]!.message).toContain('port 22');
  });

  test('gives no reason when open rules are merged, split or reordered', () => {
    const before = group(
      rule(20, 22, ['0.0.0.0/0']),
      rule(23, 30, ['0.0.0.0/0']),
      rule(443, 443, ['10.0.0.0/8', '0.0.0.0/0']),
    );
    const after = group(rule(443, 443, ['0.0.0.0/0', '10.0.0.0/8']), rule(20, 30, ['0.0.0.0/0']));
    expect(judge('update', 'aws_security_group', { before, after })).toEqual({});
  });

  test('is rated only by the ports that were closed before', () => {
    const before = group(rule(22, 22, ['0.0.0.0/0']));
    expect(
      judge('update', 'aws_security_group', { before, after: group(rule(21, 22, ['0.0.0.0/0'])) })['R-NET-OPEN'],
    ).toBe('high');
    expect(
      judge('update', 'aws_security_group', { before, after: group(rule(22, 23, ['0.0.0.0/0'])) })['R-NET-OPEN'],
    ).toBe('critical');
  });

  test('is critical when it opens a port to IPv6 that was open only to IPv4', () => {
    const after = {
      name: 'web',
      egress: [],
      ingress: [{ ...rule(22, 22, ['0.0.0.0/0']), ipv6_cidr_blocks: ['::/0'] }],
    };
    expect(
      judge('update', 'aws_security_group', { before: group(rule(22, 22, ['0.0.0.0/0'])), after })['R-NET-OPEN'],
    ).toBe('critical');
  });

  test.each([
    ['by 8 bits', '10.1.2.0/24', '10.1.0.0/16', 'medium'],
    ['by 7 bits', '10.1.0.0/24', '10.1.0.0/17', undefined],
    ['to more than a /16', '10.0.0.0/16', '10.0.0.0/15', 'medium'],
    ['to a /16', '10.0.0.0/18', '10.0.0.0/16', undefined],
    ['to another network', '10.1.0.0/24', '10.2.0.0/16', undefined],
  ])('is medium only when a source widens far enough: %s', (_, from, to, level) => {
    expect(
      judge('update', 'aws_security_group', {
        before: group(rule(5432, 5432, [from])),
        after: group(rule(5432, 5432, [to])),
      })['R-NET-WIDEN'],
    ).toBe(level);
  });

  test('marks every diff as strengthening when a source narrows', () => {
    const { change, reasons } = findings('update', 'aws_security_group', {
      before: group(rule(22, 22, ['0.0.0.0/0'])),
      after: group(rule(22, 22, ['10.0.0.0/8'])),
    });
    expect(reasons).toEqual([]);
    expect(change.diffs.map(({ direction }) => direction)).toEqual(['strengthening']);
  });

  test('is low with unrestricted egress', () => {
    const after = { name: 'web', ingress: [], egress: [rule(0, 0, ['0.0.0.0/0'], '-1')] };
    expect(judge('create', 'aws_security_group', { after })).toEqual({ 'R-NET-EGRESS': 'low' });
  });

  test('has no message with an address that the plan marks as sensitive', () => {
    const { reasons } = findings('update', 'aws_security_group', {
      before: group(),
      after: group(rule(22, 22, ['0.0.0.0/0'])),
      sensitive: { ingress: true },
    });
    expect(reasons[0]!.level).toBe('critical');
    expect(reasons[0]!.message).not.toContain('0.0.0.0/0');
  });
});

describe('a rule that is a separate resource', () => {
  const alone = { type: 'ingress', from_port: 22, to_port: 22, protocol: 'tcp', security_group_id: 'sg-1' };

  test.each([
    ['aws_security_group_rule', { ...alone, cidr_blocks: ['0.0.0.0/0'] }, 'critical'],
    ['aws_security_group_rule', { ...alone, cidr_blocks: ['10.0.0.0/8'] }, undefined],
    ['aws_security_group_rule', { ...alone, type: 'egress', cidr_blocks: ['0.0.0.0/0'] }, undefined],
    ['aws_security_group_rule', { ...alone, ipv6_cidr_blocks: ['::/0'] }, 'critical'],
    [
      'aws_vpc_security_group_ingress_rule',
      { ip_protocol: 'tcp', from_port: 443, to_port: 443, cidr_ipv4: '0.0.0.0/0' },
      'medium',
    ],
    ['aws_vpc_security_group_ingress_rule', { ip_protocol: '-1', cidr_ipv6: '::/0' }, 'critical'],
    [
      'aws_vpc_security_group_egress_rule',
      { ip_protocol: 'tcp', from_port: 22, to_port: 22, cidr_ipv4: '0.0.0.0/0' },
      undefined,
    ],
    ['aws_ec2_managed_prefix_list', { entry: [{ cidr: '0.0.0.0/0' }] }, 'high'],
    [
      'aws_network_acl_rule',
      { egress: false, rule_action: 'allow', protocol: '-1', cidr_block: '0.0.0.0/0' },
      'medium',
    ],
    [
      'aws_network_acl_rule',
      { egress: false, rule_action: 'deny', protocol: '-1', cidr_block: '0.0.0.0/0' },
      undefined,
    ],
    [
      'aws_network_acl_rule',
      { egress: true, rule_action: 'allow', protocol: '-1', cidr_block: '0.0.0.0/0' },
      undefined,
    ],
    [
      'aws_network_acl',
      {
        ingress: [{ action: 'allow', protocol: '6', from_port: 22, to_port: 22, cidr_block: '0.0.0.0/0', rule_no: 1 }],
      },
      'medium',
    ],
  ])('is rated by its direction, action and ports: %s %j', (type, after, level) => {
    expect(judge('create', type, { after })['R-NET-OPEN']).toBe(level);
  });

  test('gives no reason when it is replaced with a narrower source', () => {
    const before = { ...alone, cidr_blocks: ['0.0.0.0/0'] };
    expect(
      judge('replace', 'aws_security_group_rule', { before, after: { ...alone, cidr_blocks: ['10.0.0.0/8'] } }),
    ).toEqual({});
  });

  test('is high when it belongs to a network ACL and changes from deny to allow', () => {
    const before = { egress: false, rule_number: 100, rule_action: 'deny', protocol: '-1', cidr_block: '10.0.0.0/8' };
    expect(judge('update', 'aws_network_acl_rule', { before, after: { ...before, rule_action: 'allow' } })).toEqual({
      'R-ATTR-aws_network_acl_rule.action': 'high',
    });
  });

  test('is high when it is the first ingress rule of the default group', () => {
    const before = { ingress: [], egress: [] };
    expect(
      judge('update', 'aws_default_security_group', { before, after: group(rule(443, 443, ['10.0.0.0/8'])) }),
    ).toEqual({
      'R-ATTR-aws_default_security_group.ingress': 'high',
    });
  });
});

describe('an Azure rule', () => {
  const inbound = {
    access: 'Allow',
    direction: 'Inbound',
    protocol: 'Tcp',
    priority: 100,
    source_address_prefix: '*',
    destination_port_range: '22',
  };

  test.each([
    ['the source *', { ...inbound }, 'critical'],
    ['the source Internet', { ...inbound, source_address_prefix: 'Internet' }, 'critical'],
    [
      'a list of sources',
      { ...inbound, source_address_prefix: null, source_address_prefixes: ['10.0.0.0/8', '0.0.0.0/0'] },
      'critical',
    ],
    ['a port list', { ...inbound, destination_port_range: null, destination_port_ranges: ['80', '443'] }, 'medium'],
    ['a port range', { ...inbound, destination_port_range: '3000-4000' }, 'critical'],
    ['every port', { ...inbound, destination_port_range: '*' }, 'critical'],
    ['ICMP', { ...inbound, protocol: 'Icmp', destination_port_range: '*' }, 'low'],
    ['an outbound rule', { ...inbound, direction: 'Outbound' }, undefined],
    ['a deny rule', { ...inbound, access: 'Deny' }, undefined],
    ['a service tag', { ...inbound, source_address_prefix: 'AzureLoadBalancer' }, undefined],
  ])('is rated by its sources and ports: %s', (_, after, level) => {
    expect(judge('create', 'azurerm_network_security_rule', { after })['R-NET-OPEN']).toBe(level);
    expect(judge('create', 'azurerm_network_security_group', { after: { security_rule: [after] } })['R-NET-OPEN']).toBe(
      level,
    );
  });

  test('that changes from Deny to Allow is high even for one address', () => {
    const before = { ...inbound, source_address_prefix: '10.1.1.1', access: 'Deny' };
    expect(judge('update', 'azurerm_network_security_rule', { before, after: { ...before, access: 'Allow' } })).toEqual(
      {
        'R-ATTR-azurerm_network_security_rule.access': 'high',
      },
    );
  });

  test('gives no reason when its group is reordered', () => {
    const other = { ...inbound, name: 'b', priority: 200, destination_port_range: '443' };
    const named = { ...inbound, name: 'a' };
    const judged = judge('update', 'azurerm_network_security_group', {
      before: { security_rule: [named, other] },
      after: { security_rule: [other, named] },
    });
    expect(judged).toEqual({});
  });
});

describe('a Google firewall', () => {
  const ssh = {
    name: 'f',
    direction: 'INGRESS',
    disabled: false,
    source_ranges: ['0.0.0.0/0'],
    allow: [{ protocol: 'tcp', ports: ['22'] }],
    deny: [],
  };

  test.each([
    ['port 22', ssh, 'critical'],
    ['every protocol', { ...ssh, allow: [{ protocol: 'all', ports: [] }] }, 'critical'],
    ['port 443', { ...ssh, allow: [{ protocol: 'tcp', ports: ['443'] }] }, 'medium'],
    ['ports 8000 to 8080', { ...ssh, allow: [{ protocol: 'tcp', ports: ['8000-8080'] }] }, 'high'],
    ['no source at all', { ...ssh, source_ranges: [] }, 'critical'],
    ['only tags', { ...ssh, source_ranges: [], source_tags: ['web'] }, undefined],
    ['a private range', { ...ssh, source_ranges: ['10.0.0.0/8'] }, undefined],
    ['a disabled rule', { ...ssh, disabled: true }, undefined],
    ['an egress rule', { ...ssh, direction: 'EGRESS' }, undefined],
    ['a deny rule', { ...ssh, allow: [], deny: [{ protocol: 'tcp', ports: ['22'] }] }, undefined],
  ])('is rated by its sources and ports: %s', (_, after, level) => {
    expect(judge('create', 'google_compute_firewall', { after })['R-NET-OPEN']).toBe(level);
  });

  test('that denies traffic and is disabled is high', () => {
    const before = { ...ssh, allow: [], deny: [{ protocol: 'tcp', ports: ['22'] }] };
    expect(judge('update', 'google_compute_firewall', { before, after: { ...before, disabled: true } })).toEqual({
      'R-ATTR-google_compute_firewall.deny': 'high',
    });
  });
});

describe('a database firewall', () => {
  test.each([
    ['0.0.0.0', '255.255.255.255', 'critical'],
    ['0.0.0.0', '0.0.0.0', 'high'],
    ['0.0.0.1', '255.255.255.254', 'critical'],
    ['10.0.0.1', '10.0.0.9', undefined],
  ])('with the range %s to %s is rated by its size', (start_ip_address, end_ip_address, level) => {
    for (const type of [
      'azurerm_mssql_firewall_rule',
      'azurerm_postgresql_flexible_server_firewall_rule',
      'azurerm_mysql_flexible_server_firewall_rule',
    ]) {
      expect(judge('create', type, { after: { start_ip_address, end_ip_address } })['R-NET-OPEN']).toBe(level);
    }
  });

  test('that starts to authorize the whole internet is critical, and an unchanged one gives no reason', () => {
    const settings = (...values: string[]) => ({
      settings: [{ ip_configuration: [{ authorized_networks: values.map((value) => ({ value, name: value })) }] }],
    });
    const type = 'google_sql_database_instance';
    expect(
      judge('update', type, { before: settings('10.0.0.0/8'), after: settings('10.0.0.0/8', '0.0.0.0/0') })[
        'R-NET-OPEN'
      ],
    ).toBe('critical');
    expect(
      judge('update', type, { before: settings('0.0.0.0/0'), after: settings('10.0.0.0/8', '0.0.0.0/0') })[
        'R-NET-OPEN'
      ],
    ).toBeUndefined();
  });
});

describe('a route or network link', () => {
  const internet = { route_table_id: 'rtb-1', destination_cidr_block: '0.0.0.0/0', gateway_id: 'igw-1' };

  test('is high for a new default route to the internet in an existing table', () => {
    expect(judge('create', 'aws_route', { after: internet })['R-NET-ROUTE']).toBe('high');
    const { route_table_id: _, ...fresh } = internet;
    expect(
      judge('create', 'aws_route', { after: fresh, unknown: { route_table_id: true } })['R-NET-ROUTE'],
    ).toBeUndefined();
    expect(
      judge('create', 'aws_route', { after: { ...internet, destination_cidr_block: '10.0.0.0/8' } })['R-NET-ROUTE'],
    ).toBeUndefined();
    expect(
      judge('create', 'aws_route', { after: { ...internet, gateway_id: null, nat_gateway_id: 'nat-1' } })[
        'R-NET-ROUTE'
      ],
    ).toBeUndefined();
  });

  test('is high when a default route changes its target or is deleted', () => {
    expect(
      judge('update', 'aws_route', { before: internet, after: { ...internet, gateway_id: 'vgw-1' } })['R-NET-ROUTE'],
    ).toBe('high');
    expect(judge('delete', 'aws_route', { before: internet })['R-NET-ROUTE']).toBe('high');
    expect(judge('delete', 'aws_route', { before: internet, facts: { destroyed: new Set(['rtb-1']) } })).toEqual({});
  });

  test('gives no reason when inline routes are reordered', () => {
    const local = { cidr_block: '10.1.0.0/16', vpc_peering_connection_id: 'pcx-1' };
    const route = { cidr_block: '0.0.0.0/0', gateway_id: 'igw-1' };
    expect(
      judge('update', 'aws_route_table', { before: { route: [local, route] }, after: { route: [route, local] } }),
    ).toEqual({});
    expect(
      judge('update', 'aws_route_table', { before: { route: [local] }, after: { route: [local, route] } })[
        'R-NET-ROUTE'
      ],
    ).toBe('high');
  });

  test('is high when a peering is deleted without its networks', () => {
    const before = { vpc_id: 'vpc-1', peer_vpc_id: 'vpc-2' };
    expect(judge('delete', 'aws_vpc_peering_connection', { before })).toEqual({ 'R-NET-ROUTE': 'high' });
    expect(judge('delete', 'aws_vpc_peering_connection', { before, facts: { destroyed: new Set(['vpc-2']) } })).toEqual(
      {},
    );
  });
});

describe('a public IP address', () => {
  test.each([
    ['aws_instance', { associate_public_ip_address: false }, { associate_public_ip_address: true }, 'medium'],
    ['aws_subnet', { map_public_ip_on_launch: false }, { map_public_ip_on_launch: true }, 'low'],
    [
      'azurerm_network_interface',
      { ip_configuration: [{ name: 'a', public_ip_address_id: null }] },
      { ip_configuration: [{ name: 'a', public_ip_address_id: '/ip/1' }] },
      'medium',
    ],
    [
      'google_compute_instance',
      { network_interface: [{ access_config: [] }] },
      { network_interface: [{ access_config: [{}] }] },
      'medium',
    ],
  ])('of %s is high on update and lower on create', (type, before, after, created) => {
    expect(judge('update', type, { before, after })['R-NET-PUBLICIP']).toBe('high');
    expect(judge('create', type, { after })['R-NET-PUBLICIP']).toBe(created);
    expect(judge('update', type, { before: after, after: before })).toEqual({});
  });
});

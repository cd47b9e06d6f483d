import { describe, expect, test } from '@jest/globals';
import { findings, judge } from './judging.ts';

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
    ['22', rule(22, 22, ['0.0.0.0/0']), 'critical'],
    ['a range that holds a database port', rule(5000, 6000, ['0.0.0.0/0']), 'critical'],
    ['every port', rule(0, 65535, ['0.0.0.0/0']), 'critical'],
    ['every protocol', rule(0, 0, ['0.0.0.0/0'], '-1'), 'critical'],
    ['443', rule(443, 443, ['0.0.0.0/0']), 'medium'],
    ['80', rule(80, 80, ['0.0.0.0/0']), 'medium'],
    ['80 to 443', rule(80, 443, ['0.0.0.0/0']), 'high'],
    ['8080', rule(8080, 8080, ['0.0.0.0/0']), 'high'],
    ['ICMP', rule(-1, -1, ['0.0.0.0/0'], 'icmp'), 'low'],
    ['22 by a spelling of everywhere', rule(22, 22, ['67.221.169.243/0']), 'critical'],
  ])('that opens %s is judged by its ports, new or not', (_, opened, level) => {
    expect(judge('update', 'aws_security_group', { before: group(), after: group(opened) })['R-NET-OPEN']).toBe(level);
    expect(judge('create', 'aws_security_group', { after: group(opened) })['R-NET-OPEN']).toBe(level);
  });

  test('gives no reason for private sources', () => {
    expect(
      judge('update', 'aws_security_group', { before: group(), after: group(rule(22, 22, ['10.0.0.0/16'])) }),
    ).toEqual({});
  });

  test('turns the opened block to weakening and names port and source', () => {
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
});

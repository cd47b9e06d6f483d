import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/model/result.ts';
import { judge } from '../judging.ts';

type Row = [title: string, before: JsonObject[], after: JsonObject[], level: string | undefined];

const armor = (priority: number, action = 'deny(403)', range = '203.0.113.0/24'): JsonObject => ({
  priority,
  action,
  match: [{ versioned_expr: 'SRC_IPS_V1', config: [{ src_ip_ranges: [range] }] }],
});
/** The default rule, which every policy has. */
const DEFAULT = armor(2147483647, 'allow', '*');
const azure = (name: string, action = 'Block', enabled = true): JsonObject => ({ name, action, enabled, priority: 10 });

describe('a deny rule of a web application firewall', () => {
  test.each<Row>([
    ['is high when it moves back', [armor(900)], [armor(65000)], 'high'],
    ['gives no reason when it moves forward', [armor(1000)], [armor(900)], undefined],
    ['is high when it is removed', [armor(900)], [], 'high'],
    ['is high when it changes to allow', [armor(900)], [armor(900, 'allow')], 'high'],
    [
      'is high when its number and its addresses change',
      [armor(1000)],
      [armor(900, 'deny(403)', '198.51.100.0/24')],
      'high',
    ],
  ])('of Google %s', (_, before, after, level) => {
    const sides = { before: { rule: [...before, DEFAULT] }, after: { rule: [...after, DEFAULT] } };
    expect(judge('update', 'google_compute_security_policy', sides)['R-SEC-WAF']).toBe(level);
  });

  test.each<Row>([
    ['is high when it is removed', [azure('a'), azure('b')], [azure('b')], 'high'],
    ['is high when it only logs', [azure('a')], [azure('a', 'Log')], 'high'],
    ['is high when it is disabled', [azure('a')], [azure('a', 'Block', false)], 'high'],
    ['gives no reason when it is reordered', [azure('a'), azure('b')], [azure('b'), azure('a')], undefined],
    ['gives no reason when a rule that only logs is removed', [azure('a', 'Log')], [], undefined],
    ['gives no reason when it is added', [], [azure('a')], undefined],
  ])('of Azure %s', (_, before, after, level) => {
    const sides = { before: { custom_rule: before }, after: { custom_rule: after } };
    expect(judge('update', 'azurerm_cdn_frontdoor_firewall_policy', sides)['R-SEC-WAF']).toBe(level);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../../engine/result.ts';
import { judge } from '../judging.ts';

type Row = [title: string, before: JsonObject[], after: JsonObject[], level: string | undefined];

const armor = (priority: number, action = 'deny(403)', range = '203.0.113.0/24'): JsonObject => ({
  priority,
  action,
  match: [{ versioned_expr: 'SRC_IPS_V1', config: [{ src_ip_ranges: [range] }] }],
});
/** Every policy has it. */
const DEFAULT = armor(2147483647, 'allow', '*');
const azure = (name: string, action = 'Block', enabled = true): JsonObject => ({ name, action, enabled, priority: 10 });

describe('a rule of an application firewall', () => {
  test.each<Row>([
    ['is asked later', [armor(900)], [armor(65000)], 'high'],
    ['is asked earlier', [armor(1000)], [armor(900)], undefined],
    ['goes', [armor(900)], [], 'high'],
    ['lets through', [armor(900)], [armor(900, 'allow')], 'high'],
    ['is about others, under another number', [armor(1000)], [armor(900, 'deny(403)', '198.51.100.0/24')], 'high'],
  ])('Google: it %s', (_, before, after, level) => {
    const sides = { before: { rule: [...before, DEFAULT] }, after: { rule: [...after, DEFAULT] } };
    expect(judge('update', 'google_compute_security_policy', sides)['R-SEC-WAF']).toBe(level);
  });

  test.each<Row>([
    ['goes', [azure('a'), azure('b')], [azure('b')], 'high'],
    ['only writes a log', [azure('a')], [azure('a', 'Log')], 'high'],
    ['is switched off', [azure('a')], [azure('a', 'Block', false)], 'high'],
    ['changes places', [azure('a'), azure('b')], [azure('b'), azure('a')], undefined],
    ['that only wrote a log goes', [azure('a', 'Log')], [], undefined],
    ['comes', [], [azure('a')], undefined],
  ])('Azure: it %s', (_, before, after, level) => {
    const sides = { before: { custom_rule: before }, after: { custom_rule: after } };
    expect(judge('update', 'azurerm_cdn_frontdoor_firewall_policy', sides)['R-SEC-WAF']).toBe(level);
  });
});

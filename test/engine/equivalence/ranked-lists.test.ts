import { describe, expect, test } from '@jest/globals';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonObject } from '../../../engine/model/result.ts';
import { entry, planText } from '../analysis/plans.ts';

const block = (name: string, priority: number, more: JsonObject = {}) => ({ name, priority, action: 'Block', ...more });

function classify(type: string, list: string, [before, after]: [JsonObject[], JsonObject[]], more: JsonObject = {}) {
  const change = entry(type, 'a', { before: { [list]: before }, after: { [list]: after }, ...more });
  return analyzePlan(Buffer.from(planText({ resource_changes: [change] }))).changes[0]?.noise.classification;
}

describe('numbered rules of a firewall', () => {
  test.each([
    ['aws_wafv2_web_acl', 'rule'],
    ['aws_wafv2_rule_group', 'rule'],
    ['azurerm_cdn_frontdoor_firewall_policy', 'custom_rule'],
    ['azurerm_frontdoor_firewall_policy', 'custom_rule'],
    ['azurerm_web_application_firewall_policy', 'custom_rules'],
    ['azurerm_application_gateway', 'request_routing_rule'],
  ])('%s: new numbers in the same order are noise, also at other positions', (type, list) => {
    const before = [block('a', 1), block('b', 2)];

    expect(classify(type, list, [before, [block('a', 10), block('b', 20)]])).not.toBe('novel');
    expect(classify(type, list, [before, [block('b', 20), block('a', 10)]])).not.toBe('novel');
  });

  test.each<[change: string, after: JsonObject[]]>([
    ['another order', [block('a', 20), block('b', 10)]],
    ['a number that two rules share', [block('a', 10), block('b', 10)]],
    ['a rule that goes', [block('a', 10)]],
    ['a rule that comes', [block('a', 10), block('b', 20), block('c', 30)]],
    ['another action', [block('a', 10), block('b', 20, { action: 'Count' })]],
  ])('%s is a change', (_, after) => {
    expect(classify('aws_wafv2_web_acl', 'rule', [[block('a', 1), block('b', 2)], after])).toBe('novel');
  });

  test('a number that is not known yet is a change', () => {
    const sides: [JsonObject[], JsonObject[]] = [[block('a', 1)], [{ name: 'a', action: 'Block' }]];
    const more = { after_unknown: { rule: [{ priority: true }] } };

    expect(classify('aws_wafv2_web_acl', 'rule', sides, more)).toBe('novel');
  });

  test('new numbers of a type that shares its order with other resources are a change', () => {
    const sides: [JsonObject[], JsonObject[]] = [[block('a', 1)], [block('a', 10)]];

    expect(classify('azurerm_network_security_group', 'security_rule', sides)).toBe('novel');
  });
});

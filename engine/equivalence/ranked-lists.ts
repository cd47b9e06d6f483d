import type { PathNode } from '../changes/path-node.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/**
 * Lists of rules that are evaluated in the order of their numbers, by type: the list, and the number. Each resource
 * has all the rules that its numbers are compared with, and no number has a meaning of its own.
 */
const RANKED = new Map<string, readonly [lists: readonly string[], rank: string]>([
  ['aws_network_acl', [['ingress', 'egress'], 'rule_no']],
  ['aws_wafv2_rule_group', [['rule'], 'priority']],
  ['aws_wafv2_web_acl', [['rule'], 'priority']],
  ['azurerm_application_gateway', [['request_routing_rule'], 'priority']],
  ['azurerm_cdn_frontdoor_firewall_policy', [['custom_rule'], 'priority']],
  ['azurerm_frontdoor_firewall_policy', [['custom_rule'], 'priority']],
  ['azurerm_web_application_firewall_policy', [['custom_rules'], 'priority']],
]);

/** Name of the list of numbered rules that holds a path; null if there is none. */
export function findRankedList(type: string, node: PathNode): string | null {
  const [lists = []] = RANKED.get(type) ?? [];
  return lists.find((list) => node.first === list) ?? null;
}

/** Whether both sides have the same rules in the same order, whatever their numbers and positions are. */
export function isSameRanking(
  type: string,
  list: string,
  before: JsonObject | null,
  after: JsonObject | null,
): boolean {
  const [, rank] = RANKED.get(type) ?? [];
  if (rank === undefined) return false;
  const [was, is] = [before?.[list], after?.[list]].map((rules) => rankRules(rules, rank));
  if (was == null || is == null || was.length !== is.length) return false;
  return was.every((rule, at) => rule === is[at]);
}

/** The rules in their order, without their numbers; null if a number is missing or given twice. */
function rankRules(rules: JsonValue | undefined, rank: string): string[] | null {
  if (!Array.isArray(rules)) return null;
  const ranked = new Map<number, string>();
  for (const rule of rules) {
    const number = isObject(rule) ? rule[rank] : null;
    if (!isObject(rule) || typeof number !== 'number' || ranked.has(number)) return null;
    ranked.set(number, canonicalJson({ ...rule, [rank]: null }));
  }
  return [...ranked].sort(([one], [other]) => one - other).map(([, rule]) => rule);
}

/** A rule that moves in the list that it forms with the other rules of the plan. */
import type { RiskLevel } from '../../../model/result.ts';
import { findOrderedKind, ORDERED_KINDS } from '../../ordering/kinds.ts';
import { type OrderedRule, readOrderedRule } from '../../ordering/lists.ts';
import { matchesEverything, overlaps } from '../../ordering/overlap.ts';
import type { Subject } from '../subject.ts';
import type { Rule } from '../types.ts';

const REASONS = {
  shadowed: (other: string) =>
    `The rule that blocks is now evaluated after ${other}, which lets the same traffic pass.`,
  skipped: (other: string) => `The rule that lets traffic pass is now evaluated before ${other}, which blocks it.`,
  unreached: (other: string) =>
    `The rule is now evaluated after ${other}, which matches everything: it is never reached.`,
};

type Crossing = { level: RiskLevel; message: string };

/**
 * Judges a moved rule by the other rules of its list.
 *
 * @returns false if the plan shows no other rule of the list
 */
export function judgeAmongSiblings(subject: Subject): boolean {
  const kind = findOrderedKind(subject.type);
  if (kind === undefined || subject.mode !== 'update' || subject.isUnknown(kind.priority)) return false;
  const siblings = subject.facts.ordered.findSiblings(subject.change);
  const rule = readOrderedRule(kind, subject.change);
  if (siblings.length === 0 || rule.before === rule.after) return false;
  const path = [kind.priority];
  const crossings = siblings.flatMap((other) => findCrossing(rule, other) ?? []);
  const worst = crossings.find(({ level }) => level === 'high') ?? crossings[0];
  if (worst === undefined) {
    subject.setDirection(path, 'strengthening');
    return true;
  }
  subject.add({ rule: `R-ATTR-${subject.type}.priority`, level: worst.level, path, message: worst.message });
  subject.setDirection(path, 'weakening');
  return true;
}

/** What it means that two rules change places; undefined if they do not, or if it makes no difference. */
function findCrossing(rule: OrderedRule, other: OrderedRule): Crossing | undefined {
  if (rule.before === undefined || rule.after === undefined) return undefined;
  if (other.before === undefined || other.after === undefined) return undefined;
  const [was_first, is_first] = [rule.before < other.before, rule.after < other.after];
  if (was_first === is_first || !overlaps(rule.match, other.match)) return undefined;
  if (rule.blocks && !other.blocks && was_first) return { level: 'high', message: REASONS.shadowed(other.address) };
  if (!rule.blocks && other.blocks && is_first) return { level: 'high', message: REASONS.skipped(other.address) };
  if (was_first && rule.blocks === other.blocks && matchesEverything(other.match))
    return { level: 'medium', message: REASONS.unreached(other.address) };
  return undefined;
}

/** Types that other rules judge when the plan shows no other rule of the list. */
const JUDGED_ELSEWHERE =
  /^(?:aws_network_acl_rule|azurerm_network_security_rule|google_compute_(?:region_)?(?:network_)?firewall(?:_policy_rule)?)$/;

export const SIBLING_RULES: readonly Rule[] = ORDERED_KINDS.map((kind) => ({
  types: kind.types.filter((type) => !JUDGED_ELSEWHERE.test(type)),
  watches: [{ path: kind.priority }],
  modes: ['update'] as const,
  find: (subject: Subject) => void judgeAmongSiblings(subject),
})).filter(({ types }) => types.length > 0);

/** A rule that moves in the list that it forms with the other rules of the plan. */
import type { RiskLevel } from '../../../model/result.ts';
import { findOrderedKind, ORDERED_KINDS } from '../../ordering/kinds.ts';
import { type OrderedRule, readOrderedRule } from '../../ordering/lists.ts';
import { covers, matchesEverything, overlaps } from '../../ordering/overlap.ts';
import type { Subject } from '../subject.ts';
import type { Rule } from '../types.ts';

const REASONS = {
  shadowed: (other: string) =>
    `The stricter rule is now evaluated after ${other}, which lets the same requests or traffic pass.`,
  skipped: (other: string) => `The rule is now evaluated before ${other}, which demands more of the same traffic.`,
  unreached: (other: string) =>
    `The rule is now evaluated after ${other}, which matches everything: it is never reached.`,
  dead: (other: string) =>
    `The rule is evaluated before ${other} and matches everything that it matches: ${other} has no effect any more.`,
};

type Crossing = { level: RiskLevel; message: string };

/**
 * Judges a moved rule by the other rules of its list.
 *
 * @returns false if the plan shows no other rule of the list
 */
export function judgeAmongSiblings(subject: Subject): boolean {
  const kind = findOrderedKind(subject.type);
  const path = kind?.priority.split('.') ?? [];
  const { mode } = subject;
  if (kind === undefined || (mode !== 'update' && mode !== 'replace') || subject.isUnknown(...path)) return false;
  const siblings = subject.facts.ordered.findSiblings(subject.change);
  const rule = readOrderedRule(kind, subject.change);
  if (rule.before === rule.after) return false;
  if (rule.strictness === undefined) {
    subject.setDirection(path, 'strengthening');
    return true;
  }
  if (siblings.length === 0) return false;
  const ties = kind.ties_are_strict === true;
  const crossings = siblings.flatMap((other) => findCrossing(rule, other, ties) ?? []);
  const worst = crossings.find(({ level }) => level === 'high') ?? crossings[0];
  if (worst === undefined) {
    subject.setDirection(path, 'strengthening');
    return true;
  }
  report(subject, path, worst);
  return true;
}

function report(subject: Subject, path: readonly string[], { level, message }: Crossing): void {
  subject.add({ rule: `R-ATTR-${subject.type}.priority`, level, path, message });
  subject.setDirection(path, 'weakening');
}

/** Whether one rule is evaluated before another on one side. */
function precedes(rule: OrderedRule, other: OrderedRule, side: 'before' | 'after', ties: boolean): boolean {
  const [place, others] = [rule[side] ?? 0, other[side] ?? 0];
  if (place !== others || !ties) return place < others;
  return (rule.strictness ?? 0) > (other.strictness ?? 0);
}

/** What it means that two rules change places; undefined if they do not, or if it makes no difference. */
function findCrossing(rule: OrderedRule, other: OrderedRule, ties: boolean): Crossing | undefined {
  if (rule.before === undefined || rule.after === undefined) return undefined;
  if (other.before === undefined || other.after === undefined) return undefined;
  const [was_first, is_first] = [precedes(rule, other, 'before', ties), precedes(rule, other, 'after', ties)];
  if (was_first === is_first || !overlaps(rule.match, other.match) || other.strictness === undefined) return undefined;
  const difference = (rule.strictness ?? 0) - other.strictness;
  if (difference > 0 && was_first) return { level: 'high', message: REASONS.shadowed(other.address) };
  if (difference < 0 && is_first) return { level: 'high', message: REASONS.skipped(other.address) };
  if (was_first && difference === 0 && matchesEverything(other.match))
    return { level: 'medium', message: REASONS.unreached(other.address) };
  return undefined;
}

/** Judges a new or widened rule that leaves nothing to a stricter one behind it. */
function judgeCovered(subject: Subject): void {
  const kind = findOrderedKind(subject.type);
  if (kind?.whole_match !== true || subject.isUnknown()) return;
  const rule = readOrderedRule(kind, subject.change);
  const { strictness } = rule;
  if (rule.after === undefined || strictness === undefined) return;
  const dead = subject.facts.ordered.findSiblings(subject.change).find((other) => {
    if (other.before === undefined || other.after === undefined || (other.strictness ?? 0) <= strictness) return false;
    if (!precedes(rule, other, 'after', false) || !covers(rule.match, other.match)) return false;
    return rule.before === undefined || !covers(rule.matched, other.matched);
  });
  if (dead !== undefined)
    report(subject, kind.priority.split('.'), { level: 'high', message: REASONS.dead(dead.address) });
}

/** Types whose own rules call `judgeAmongSiblings`. */
const JUDGED_ELSEWHERE =
  /^(?:aws_network_acl_rule|azurerm_network_security_rule|google_compute_(?:region_)?(?:network_)?firewall(?:_policy_rule)?)$/;

export const SIBLING_RULES: readonly Rule[] = ORDERED_KINDS.map(
  (kind): Rule => ({
    types: kind.types.filter((type) => !JUDGED_ELSEWHERE.test(type)),
    watches: [{ path: kind.priority }],
    modes: ['update', 'replace'],
    find: (subject) => void judgeAmongSiblings(subject),
  }),
)
  .concat(
    ORDERED_KINDS.filter(({ whole_match }) => whole_match).map(
      (kind): Rule => ({
        types: kind.types,
        watches: ['condition', 'action', 'target', 'actions', kind.priority].map((path) => ({ path })),
        modes: ['create', 'update'],
        find: judgeCovered,
      }),
    ),
  )
  .filter(({ types }) => types.length > 0);

import { isObject } from '../../../lib/is-object.ts';

/** The evaluation order of filter rules: a deny rule has no effect on traffic that an earlier rule allows. */

const REASONS = {
  order: 'A rule that allows traffic is now evaluated before the rule that denies it.',
  order_cut: ' The filter has too many rules to compare all of them.',
  deny_later: (from: number, to: number) =>
    `The deny rule moves from priority ${from} to ${to}: rules that are now evaluated earlier may allow its traffic.`,
  allow_earlier: (from: number, to: number) =>
    `The allow rule moves from priority ${from} to ${to}: it is now evaluated before rules that may deny its traffic.`,
};

import { isAtLeast } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { StepBudget } from '../step-budget.ts';
import type { Subject } from '../subject.ts';
import type { Path, Value } from '../types.ts';
import { member, quantity } from '../values.ts';
import { isPublic, type Opening, overlap, rateOpening } from './openings.ts';
import { judgeAmongSiblings } from './siblings.ts';

/** One rule of a filter that contains all its rules. The lowest number is evaluated first. */
export interface Ranked {
  number: number;
  denies: boolean;
  openings: readonly Opening[];
  path: Path;
}

/** Steps for comparing the openings of deny and allow rules, for each rule of the filter. */
const STEPS_EACH = 64;
const STEPS_FREE = 100_000;

/** Reports an allow rule that moves before a deny rule for the same traffic. */
export function judgeOrder(subject: Subject, before: readonly Ranked[], after: readonly Ranked[]): void {
  const numbers = new Map(before.map((rule) => [toRuleKey(rule), rule.number]));
  const known = after.flatMap((rule) => {
    const was = numbers.get(toRuleKey(rule));
    return was === undefined ? [] : [{ rule, was }];
  });
  // Ordered by old number, last first: allow rules in `passed` were evaluated after the current deny rule.
  known.sort((a, b) => b.was - a.was);
  const steps = new StepBudget(STEPS_EACH * (before.length + after.length) + STEPS_FREE);
  const passed: Ranked[] = [];
  let waiting: Ranked[] = [];
  let [earliest, last] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { rule, was } of known) {
    if (was < last) {
      for (const grant of waiting) passed.push(grant);
      earliest = waiting.reduce((least, { number }) => Math.min(least, number), earliest);
      waiting = [];
      last = was;
    }
    if (!rule.denies) waiting.push(rule);
    else if (earliest < rule.number) judgeDenial(subject, rule, passed, steps);
  }
}

function judgeDenial(subject: Subject, denial: Ranked, grants: readonly Ranked[], steps: StepBudget): void {
  for (const grant of grants) {
    if (steps.take() && (grant.number >= denial.number || !collides(grant, denial, steps))) continue;
    report(subject, denial.path, 'high', REASONS.order + (steps.exhausted ? REASONS.order_cut : ''));
    return;
  }
}

function toRuleKey({ denies, openings }: Ranked): string {
  return JSON.stringify([denies, openings.map(({ protocol, from, to, label }) => [protocol, from, to, label])]);
}

/** Returns true when the rules overlap, or when the step budget is exhausted. */
function collides(grant: Ranked, denial: Ranked, steps: StepBudget): boolean {
  return grant.openings.some((open) => denial.openings.some((refused) => !steps.take() || overlap(open, refused)));
}

export interface Moved {
  attribute: string;
  denies: boolean;
  /** The openings of the rule. */
  openings: readonly Opening[];
  /** The number of rules that set none, if the cloud has a default. */
  defaultPriority?: number;
}

/**
 * Checks a rule that is a separate resource, by the other rules that the plan shows. Without any, checks a deny rule that moves far back
 * or behind the default number, and an allow rule for the internet that moves forward. A small move is rated lower,
 * because it usually makes room for another rule.
 */
export function judgeMove(subject: Subject, { attribute, denies, openings, defaultPriority }: Moved): void {
  const from = quantity(member(subject.before, attribute)) ?? defaultPriority;
  const to = quantity(member(subject.after, attribute)) ?? defaultPriority;
  if (from === undefined || to === undefined || from === to || subject.isUnknown(attribute)) return;
  if (judgeAmongSiblings(subject)) return;
  const path = [attribute];
  if (denies ? to < from : to > from) {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const behind =
    defaultPriority !== undefined && Math.min(from, to) <= defaultPriority && Math.max(from, to) > defaultPriority;
  const far = behind || (Math.abs(to - from) > 100 && Math.max(from, to) >= 2 * Math.min(from, to));
  if (denies) {
    report(subject, path, far ? 'high' : 'medium', REASONS.deny_later(from, to), true);
    return;
  }
  const grave = openings.some((open) => isPublic(open) && isAtLeast(rateOpening(open, [[open.from, open.to]]), 'high'));
  report(subject, path, far && grave ? 'high' : 'medium', REASONS.allow_earlier(from, to), true);
}

function report(subject: Subject, path: Path, level: RiskLevel, message: string, states_values = false): void {
  subject.add({ rule: `R-ATTR-${subject.type}.priority`, level, path, message, states_values });
  subject.setDirection(path, 'weakening');
}

/** Returns a copy of a rule as an allow rule, to read its openings. */
export function asGrant(rule: Value, attribute: string, grant: string): Value {
  return isObject(rule) ? { ...rule, [attribute]: grant } : rule;
}

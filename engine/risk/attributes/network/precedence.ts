/** The order in which filters ask their rules: a refusal that comes after what lets in refuses nothing. */
import type { RiskLevel } from '../../../result.ts';
import { isAtLeast } from '../../levels.ts';
import { StepBudget } from '../step-budget.ts';
import type { Subject } from '../subject.ts';
import type { Path, Value } from '../types.ts';
import { member, quantity } from '../values.ts';
import { isPublic, type Opening, overlap, rateOpening } from './openings.ts';

/** One rule of a filter that holds all of its rules. The lowest number is asked first. */
export interface Ranked {
  number: number;
  denies: boolean;
  openings: readonly Opening[];
  path: Path;
}

/** How many openings of a refusal are held against those of grants, for each rule of the filter. */
const STEPS_EACH = 64;
const STEPS_FREE = 100_000;

/** Reports a rule that lets in what one before it refused, when it was asked after that one so far. */
export function judgeOrder(subject: Subject, before: readonly Ranked[], after: readonly Ranked[]): void {
  const numbers = new Map(before.map((rule) => [toRuleKey(rule), rule.number]));
  const known = after.flatMap((rule) => {
    const was = numbers.get(toRuleKey(rule));
    return was === undefined ? [] : [{ rule, was }];
  });
  // From the last asked so far to the first: whatever has been passed was asked behind the refusal at hand.
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
    const cut = steps.exhausted ? ' The filter has too many rules to compare them all.' : '';
    report(subject, denial.path, 'high', `A rule that lets in is now asked before the one that refuses.${cut}`);
    return;
  }
}

function toRuleKey({ denies, openings }: Ranked): string {
  return JSON.stringify([denies, openings.map(({ protocol, from, to, label }) => [protocol, from, to, label])]);
}

/** What there are no steps left for counts as a collision. */
function collides(grant: Ranked, denial: Ranked, steps: StepBudget): boolean {
  return grant.openings.some((open) => denial.openings.some((refused) => !steps.take() || overlap(open, refused)));
}

export interface Moved {
  attribute: string;
  denies: boolean;
  /** What the rule lets in, for one that does. */
  openings: readonly Opening[];
  /** The number that rules get which name none, where the cloud has one. */
  defaultPriority?: number;
}

/**
 * A rule that stands alone, where the plan does not show the others: a refusal that moves far back, or behind the number
 * that most rules have, and a grant to the world that moves to the front. A small step makes room for another rule.
 */
export function judgeMove(subject: Subject, { attribute, denies, openings, defaultPriority }: Moved): void {
  const from = quantity(member(subject.before, attribute)) ?? defaultPriority;
  const to = quantity(member(subject.after, attribute)) ?? defaultPriority;
  if (from === undefined || to === undefined || from === to || subject.isUnknown(attribute)) return;
  const path = [attribute];
  if (denies ? to < from : to > from) {
    subject.setDirection(path, 'strengthening');
    return;
  }
  const behind =
    defaultPriority !== undefined && Math.min(from, to) <= defaultPriority && Math.max(from, to) > defaultPriority;
  const far = behind || (Math.abs(to - from) > 100 && Math.max(from, to) >= 2 * Math.min(from, to));
  if (denies) {
    const message = `The rule that refuses is asked later, at ${to} instead of ${from}: others may let in what it refused.`;
    report(subject, path, far ? 'high' : 'medium', message);
    return;
  }
  const grave = openings.some((open) => isPublic(open) && isAtLeast(rateOpening(open, [[open.from, open.to]]), 'high'));
  const message = `The rule that lets in is asked earlier, at ${to} instead of ${from}: before rules that may refuse.`;
  report(subject, path, far && grave ? 'high' : 'medium', message);
}

function report(subject: Subject, path: Path, level: RiskLevel, message: string): void {
  subject.add({ rule: `R-ATTR-${subject.type}.priority`, level, path, message });
  subject.setDirection(path, 'weakening');
}

/** A rule as one that lets in, to see what it is about. */
export function asGrant(rule: Value, attribute: string, grant: string): Value {
  return typeof rule === 'object' && rule !== null && !Array.isArray(rule) ? { ...rule, [attribute]: grant } : rule;
}

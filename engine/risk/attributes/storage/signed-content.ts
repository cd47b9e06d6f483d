/** CloudFront content that requires signed requests. */

import { matchesWildcard } from '../identity/wildcard.ts';
import { StepBudget } from '../step-budget.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, text } from '../values.ts';

/** A distribution has tens of behaviors. With many more, behaviors that were not compared count as unsigned. */
const STEPS_EACH = 64;
const STEPS_FREE = 100_000;

interface Behavior {
  pattern: string;
  signed: boolean;
}

/** Returns the behaviors in evaluation order; the default behavior is last. */
function behaviors(distribution: Value): Behavior[] {
  const ordered = list(member(distribution, 'ordered_cache_behavior'));
  return [...ordered, ...list(member(distribution, 'default_cache_behavior'))].map((behavior) => ({
    pattern: text(member(behavior, 'path_pattern')) || '*',
    signed: !isEmpty(member(behavior, 'trusted_key_groups')) || !isEmpty(member(behavior, 'trusted_signers')),
  }));
}

/**
 * Returns true when the first behavior that matches a pattern requires a signature; undefined when the step budget is
 * exhausted.
 */
function isGuarded(pattern: string, all: readonly Behavior[], steps: StepBudget): boolean | undefined {
  for (const behavior of all) {
    if (!steps.takeMatch(behavior.pattern, pattern)) return undefined;
    if (matchesWildcard(behavior.pattern, pattern)) return behavior.signed;
  }
  return false;
}

function judgeSignatures(subject: Subject): void {
  if (subject.isUnknown('ordered_cache_behavior')) return;
  const before = behaviors(subject.before);
  const after = behaviors(subject.after);
  const steps = new StepBudget(STEPS_EACH * (before.length + after.length) + STEPS_FREE);
  const lost = before.find(
    ({ pattern, signed }) =>
      signed && isGuarded(pattern, before, steps) !== false && isGuarded(pattern, after, steps) !== true,
  );
  if (lost === undefined) return;
  const path = [lost.pattern === '*' ? 'default_cache_behavior' : 'ordered_cache_behavior'];
  const message = `Requests to ${subject.quoteAll(path, [lost.pattern])} no longer require a signature.`;
  subject.add({ rule: `R-ATTR-${subject.type}.${path[0]}`, level: 'high', path, message });
  subject.setDirection(path, 'weakening');
}

export const SIGNED_CONTENT_RULES: readonly Rule[] = [
  {
    types: ['aws_cloudfront_distribution'],
    watches: ['ordered_cache_behavior', 'default_cache_behavior'].flatMap((block) =>
      ['path_pattern', 'trusted_key_groups', 'trusted_signers'].map((name) => ({ path: `${block}.*.${name}` })),
    ),
    modes: ['update', 'replace'],
    find: judgeSignatures,
  },
];

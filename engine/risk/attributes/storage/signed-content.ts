/** Content of CloudFront that only signed requests may read. */

import { matchesWildcard } from '../identity/wildcard.ts';
import { StepBudget } from '../step-budget.ts';
import type { Subject } from '../subject.ts';
import type { Rule, Value } from '../types.ts';
import { isEmpty, list, member, text } from '../values.ts';

/** A distribution has tens of behaviours; of many more, what was not compared counts as lost. */
const STEPS_EACH = 64;
const STEPS_FREE = 100_000;

interface Behaviour {
  pattern: string;
  signed: boolean;
}

/** In the order in which they are tried; the default takes what is left. */
function behaviours(distribution: Value): Behaviour[] {
  const ordered = list(member(distribution, 'ordered_cache_behavior'));
  return [...ordered, ...list(member(distribution, 'default_cache_behavior'))].map((behaviour) => ({
    pattern: text(member(behaviour, 'path_pattern')) || '*',
    signed: !isEmpty(member(behaviour, 'trusted_key_groups')) || !isEmpty(member(behaviour, 'trusted_signers')),
  }));
}

/**
 * Whether every request to a pattern is asked for a signature by the first behaviour that takes it; undefined where there are
 * no steps left to tell.
 */
function isGuarded(pattern: string, all: readonly Behaviour[], steps: StepBudget): boolean | undefined {
  for (const behaviour of all) {
    if (!steps.takeMatch(behaviour.pattern, pattern)) return undefined;
    if (matchesWildcard(behaviour.pattern, pattern)) return behaviour.signed;
  }
  return false;
}

function judgeSignatures(subject: Subject): void {
  if (subject.isUnknown('ordered_cache_behavior')) return;
  const before = behaviours(subject.before);
  const after = behaviours(subject.after);
  const steps = new StepBudget(STEPS_EACH * (before.length + after.length) + STEPS_FREE);
  const lost = before.find(
    ({ pattern, signed }) =>
      signed && isGuarded(pattern, before, steps) !== false && isGuarded(pattern, after, steps) !== true,
  );
  if (lost === undefined) return;
  const path = [lost.pattern === '*' ? 'default_cache_behavior' : 'ordered_cache_behavior'];
  const message = `Requests to ${subject.quoteAll(path, [lost.pattern])} need no signature any more: another behaviour takes them first, or asks for none.`;
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

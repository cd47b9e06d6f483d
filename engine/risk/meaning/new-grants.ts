/** Judges new grants of providers that no rule knows: who gets the right. */
import { splitWords } from '../../effects/words.ts';
import { isObject } from '../../lib/is-object.ts';
import { isWatched } from '../attributes/index.ts';
import type { Subject } from '../attributes/subject.ts';
import { list } from '../attributes/values.ts';
import { lookUpTraits } from '../traits.ts';
import { isEveryone } from './values/wildcards.ts';
import { hasAny, listWords } from './values/words.ts';

const GRANTS = listWords('grant binding membership assignment permission access entitlement share role');
const HOLDERS =
  /^(?:principals?|subjects?|members?|users?|groups?|identities|grantees?|accounts?|who|audience|entities)(?:_ids?|_names?)?$/i;

/** Adds a reason for a new grant to everyone. */
export function findNewGrants(subject: Subject): void {
  const { type, after } = subject;
  const words = new Set(splitWords(type.slice(type.indexOf('_') + 1)));
  if (after === undefined || !(hasAny(words, GRANTS) || lookUpTraits(type).categories.includes('iam'))) return;
  for (const [name, value] of Object.entries(after)) {
    if (!HOLDERS.test(name) || isObject(value) || isWatched(type, [name])) continue;
    const everyone = list(value).find((item) => typeof item === 'string' && isEveryone(item));
    if (everyone === undefined || subject.isReported([name], 'medium')) continue;
    subject.add({
      rule: 'R-VAL-WILDCARD',
      level: 'high',
      path: [name],
      message: `Everyone gets the right, maybe without a login: ${subject.formatPath([name])} contains ${subject.quote([name], everyone)}.`,
    });
    subject.setDirection([name], 'weakening');
  }
}

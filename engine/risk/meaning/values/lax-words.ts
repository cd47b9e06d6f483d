/** Judges values of unknown services by their words alone: what was refused or demanded is let through or optional. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { hasStakes } from './stakes.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Something is refused, demanded, or stands ready. */
const STRICT = listWords(
  'block blocked deny denied reject rejected refuse refused decline declined refer review quarantine enforce enforced ' +
    'enforcing require required mandatory strict armed abort halt prevent verify verified land return escalate forbid ' +
    'shutoff lock locked whitelist allowlist restricted',
);
const LETS_PASS = listWords(
  'allow allowed accept accepted approve approved bypass bypassed skip skipped off none disabled disarmed ignore ignored ' +
    'continue pass proceed publish permit released unlock unlocked open waived suppressed unrestricted anyone everyone anywhere',
);
/** It is seen, and nothing is done. */
const OBSERVES = listWords('warn warning monitor monitoring log observe shadow advisory count report notify');
const ASKS = listWords('optional opportunistic prefer preferred best effort recommended');
/** Settings of which the words are those of a feature, or of a state that changes by itself. */
const FEATURES = listWords(
  'cache caching compression compress lint format formatting color theme animation preview naming whitespace indentation ' +
    'retry prefetch proxy buffering sorting ordering pagination spelling keepalive debug autocomplete cookie samesite ' +
    'affinity placement topology scheduling tenancy name description comment label tag note title reason',
);
const MAX_CHARS = 60;

export function judgeLaxWord(argument: Argument): ValueFinding | null {
  const { words, outer, effect, before, after } = argument;
  if (!effect.inferred || hasAny(words, FEATURES) || hasAny(outer, FEATURES)) return null;
  const [from, to] = [readStance(before), readStance(after)];
  if (from === null || to === null || from === to || !hasStakes(argument)) return null;
  if (to > from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return from === STRICTEST
    ? { ...FINDING, level: to < STANCES.indexOf(ASKS) ? 'high' : 'medium', direction: 'weakening' }
    : null;
}

const FINDING = {
  rule: 'R-VAL-MODE',
  consequence: 'What was refused or demanded before is let through, or no longer demanded',
} as const;

/** From what lets everything pass to what refuses or demands. */
const STANCES = [LETS_PASS, OBSERVES, ASKS, STRICT];
const STRICTEST = STANCES.length - 1;

/** null for values of several stances, and for texts. */
function readStance(value: MaybeJson): number | null {
  if (typeof value !== 'string' || value.length > MAX_CHARS) return null;
  const found = new Set(
    splitWords(value).flatMap((word) => {
      const stance = STANCES.findIndex((names) => names.has(word));
      return stance < 0 ? [] : [stance];
    }),
  );
  return found.size === 1 ? [...found][0]! : null;
}

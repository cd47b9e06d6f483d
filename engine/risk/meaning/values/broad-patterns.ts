/** Judges patterns that come to match everything: what they drop, silence, block or allow is then everything. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const PATTERN = listWords(
  'pattern match matcher regex regexp expression glob filter selector query predicate condition include',
);
const DROPS = listWords(
  'drop discard suppress suppression exclude exclusion mute silence inhibit inhibition ignore archive block deny reject ' +
    'quarantine purge delete cleanup skip blackhole redact snooze downtime',
);
const LETS = listWords('allow allowed permit permitted trust trusted accept approve approved whitelist allowlist');
const ACTIONS = ['action', 'effect', 'decision', 'behavior', 'mode', 'type', 'operation'];
const MAX_CHARS = 500;

export function judgeBroadPattern(argument: Argument): ValueFinding | null {
  const { words, outer, before, after } = argument;
  if (
    !(hasAny(words, PATTERN) || hasAny(outer, DROPS)) ||
    !isBroad(after) ||
    isBroad(before) ||
    list(before).length === 0
  )
    return null;
  const purpose = findPurpose(argument);
  return purpose === null ? null : { ...FINDING, consequence: purpose };
}

const FINDING = { rule: 'R-VAL-PATTERN', level: 'high', direction: 'weakening' } as const;

function findPurpose({ words, outer, type, parent }: Argument): string | null {
  const around = [words, outer, type, listActions(parent)];
  if (around.some((names) => hasAny(names, DROPS)))
    return 'The pattern matches everything, so all of it is dropped or refused';
  return around.some((names) => hasAny(names, LETS)) ? 'The pattern matches everything, so all of it is allowed' : null;
}

/** Words of what happens to whatever matches. */
export function listActions(holder: MaybeJson): ReadonlySet<string> {
  return new Set(ACTIONS.flatMap((name) => splitWords(text(member(holder, name)).slice(0, MAX_CHARS))));
}

/** Groups that may be left out. */
const OPTIONAL = /\([^()]{0,200}\)[?*]/g;
const ANYTHING = /^\^?(?:\.[*+]\??|\*{1,2}|\/\*{0,2}|\[[^\]]{1,60}\][*+]|\\[wS][*+])?\$?$/;

/** Whether a pattern matches nearly every text, as its form shows: `.*`, `^(test-)?[a-z0-9-]*$`, `*`. */
export function isBroad(value: MaybeJson): boolean {
  return list(value).some((item) => {
    const pattern = text(item);
    if (pattern === '' || pattern.length > MAX_CHARS) return false;
    return ANYTHING.test(pattern.replace(OPTIONAL, ''));
  });
}

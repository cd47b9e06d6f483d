import { isFreeMap, isNegation, type Match, matchPhrase } from './lexicon.ts';
import type { Effect, EffectName, SafeEnd, ValueKind } from './types.ts';
import { splitWords } from './words.ts';

/** Effects that the name of a resource type decides for arguments whose own names say little. */
const BY_TYPE = new Set<EffectName>([
  ...(['guard', 'exposure', 'identity', 'encryption', 'secret'] as const),
  ...(['routing', 'retention', 'observability', 'schedule'] as const),
]);

/** Own names that say enough even where they are weak. */
const ALWAYS_OWN = new Set<EffectName>(['metadata', 'description']);

/** Effects whose numbers are safer when greater. */
const MORE = new Set<EffectName>(['retention', 'capacity', 'guard']);

/** Last words of names that hold a reference, so that presence is what matters. */
const REFERENCE = new Set('id arn key uri url destination bucket topic role group config certificate'.split(' '));

/** Words that leave it to the block around an argument, or to the type, to say what the argument is about. */
const GENERIC = new Set(
  [
    ...['enabled', 'enable', 'is', 'active', 'activated', 'status', 'state', 'mode', 'type', 'level', 'on', 'create'],
    ...[
      'value',
      'item',
      'entry',
      'list',
      'name',
      'id',
      'arn',
      'key',
      'count',
      'number',
      'size',
      'amount',
      'max',
      'min',
    ],
    ...['day', 'hour', 'minute', 'second', 'week', 'month', 'year', 'in', 'unit', 'version', 'config', 'configuration'],
    ...['setting', 'option', 'rule', 'policy', 'use', 'required', 'action', 'default', 'allow', 'deny'],
  ].flatMap(splitWords),
);

/** Words of numbers that are durations. */
const DURATION = new Set(
  'retention period duration day hour minute second ttl time age window lifetime timeout'.split(' '),
);

/** Words of numbers that only address something. */
const ADDRESS = new Set('port id priority index number position'.split(' '));

/**
 * The effect of an argument, derived from its path and type by the vocabulary alone.
 *
 * @param type resource type, such as `acme_bucket`
 * @param segments path of the argument without indexes
 * @param kind kind of its values, if known
 */
export function inferByName(type: string, segments: readonly string[], kind: ValueKind | undefined): Effect {
  const known = findConcept(type, segments);
  if (known === undefined) return makeEffect('unknown', null);
  const { effect } = known.match.concept;
  return makeEffect(effect, findSafeEnd(known, splitWords(segments.at(-1) ?? ''), kind));
}

/** The phrase that decides about an argument, and where it stands: `weak` is a phrase of its own that says little. */
export interface Found {
  match: Match;
  basis: 'own' | 'block' | 'type' | 'weak';
}

const OPERATIONS = new Set(['create', 'read', 'update', 'delete']);

/** How long Terraform itself waits. */
function isTimeoutOfProvider(segments: readonly string[]): boolean {
  return segments[0] === 'timeouts' && (segments.length === 1 || OPERATIONS.has(segments.at(-1) ?? ''));
}

/** The phrase of the vocabulary that decides about an argument: of its name, a block around it, or its type. */
export function findConcept(type: string, segments: readonly string[]): Found | undefined {
  const free = segments.findIndex(isFreeMap);
  const end = isTimeoutOfProvider(segments) ? 1 : free < 0 ? segments.length : free + 1;
  const fixed = segments.slice(0, end);
  const own = matchPhrase(splitWords(fixed.at(-1) ?? ''));
  if (own?.strong || (own !== undefined && ALWAYS_OWN.has(own.concept.effect))) return { match: own, basis: 'own' };
  for (const name of fixed.slice(0, -1).reverse()) {
    const match = matchPhrase(splitWords(name));
    if (match?.strong) return { match, basis: 'block' };
  }
  const byType = matchPhrase(splitWords(type.slice(type.indexOf('_') + 1)));
  if (byType?.strong && BY_TYPE.has(byType.concept.effect)) return { match: byType, basis: 'type' };
  if (own !== undefined) return { match: own, basis: 'weak' };
  const around = fixed
    .slice(0, -1)
    .reverse()
    .map((name) => matchPhrase(splitWords(name)));
  const match = around.find((one) => one !== undefined);
  return match === undefined ? undefined : { match, basis: 'block' };
}

/** The safe end that a concept gives to an argument of the given words and kind. */
export function findSafeEnd(
  { match, basis }: Found,
  words: readonly string[],
  kind: ValueKind | undefined,
): SafeEnd | null {
  if (kind === undefined || kind === 'map') return null;
  const { concept, rest } = match;
  const own = basis === 'own' || basis === 'weak';
  if (!own && !words.every((word) => GENERIC.has(word) || isNegation(word))) return null;
  const negated = (own ? rest : words).filter(isNegation).length % 2 === 1;
  const end = concept.ends[kind] ?? deriveEnd(match, words, kind);
  if (end === 'none' || end === null) return null;
  return negated ? turnAround(end) : end;
}

function deriveEnd({ concept }: Match, words: readonly string[], kind: ValueKind): SafeEnd | null {
  const { effect, on } = concept;
  if (kind === 'number' || (kind === 'text' && words.some((word) => DURATION.has(word)))) {
    return MORE.has(effect) && on === 'good' && !ADDRESS.has(words.at(-1) ?? '') ? 'more' : null;
  }
  if (on === 'none') return null;
  if (kind === 'bool') return on === 'good' ? 'true' : 'false';
  if (kind === 'list') return on === 'good' ? 'extend' : 'restrict';
  if (kind === 'block') return on === 'good' ? 'set' : 'restrict';
  const last = words.at(-1) ?? '';
  return on === 'good' && (REFERENCE.has(last) || (effect === 'encryption' && last === 'name')) ? 'set' : null;
}

const OPPOSITES = {
  true: 'false',
  false: 'true',
  restrict: 'extend',
  extend: 'restrict',
} as const;

function turnAround(end: SafeEnd): SafeEnd {
  return typeof end === 'string' && end in OPPOSITES ? OPPOSITES[end as keyof typeof OPPOSITES] : end;
}

function makeEffect(effect: EffectName, safe_end: SafeEnd | null): Effect {
  return { effect, safe_end, sentinel: null, inferred: true };
}

import { findConcept, findSafeEnd, inferByName } from '../../engine/effects/infer.ts';
import { matchPhrase } from '../../engine/effects/lexicon.ts';
import type { Effect, EffectName, SafeEnd, ValueKind } from '../../engine/effects/types.ts';
import { splitWords } from '../../engine/effects/words.ts';
import { orderValues, readAllowedValues, readSentinel } from './documentation.ts';
import type { Argument, Kind } from './sources/types.ts';

/** An effect as the table stores it. */
export type Classified = Omit<Effect, 'inferred'>;

/** Effects whose values may be in order of strength. */
const ORDERED = new Set<EffectName>([
  ...(['guard', 'exposure', 'identity', 'encryption', 'retention'] as const),
  ...(['observability', 'disruptive'] as const),
]);

/** Words of a text that can name what it is about; what follows is detail. */
const MAX_WORDS = 24;

/** Texts of booleans that a provider writes as strings. */
const FLAG = /^(whether|if `?true|(specif|indicat)\w+ whether|set (this )?to `?(true|false)|boolean|flag\b|a boolean)/i;

const KINDS: Record<Kind, ValueKind> = {
  bool: 'bool',
  number: 'number',
  string: 'text',
  list: 'list',
  map: 'map',
  block: 'block',
};

/** The effect of an argument by the rules: its name, its blocks and type, then its documentation. */
export function classify(type: string, path: readonly string[], argument: Argument): Classified {
  const kind = isFlag(argument) ? 'bool' : KINDS[argument.kind];
  const found = classifyByDocumentation(type, path, argument.doc, kind) ?? inferByName(type, path, kind);
  const { effect } = found;
  const end =
    found.safe_end ?? (kind === 'text' && ORDERED.has(effect) ? readOrder(type, path, effect, argument) : null);
  return { effect, safe_end: end, sentinel: readSentinel(argument.doc, end) };
}

function isFlag({ kind, doc }: Argument): boolean {
  const others = readAllowedValues(doc).filter((value) => value !== 'true' && value !== 'false');
  return kind === 'string' && FLAG.test(doc) && others.length === 0;
}

function readOrder(type: string, path: readonly string[], effect: EffectName, { doc }: Argument): SafeEnd | null {
  const order = orderValues(effect, readAllowedValues(doc));
  const on = findConcept(type, path)?.match.concept.on;
  const expected = REACH.has(effect) ? 'bad' : 'good';
  const turned = on !== undefined && on !== 'none' && on !== expected && Array.isArray(order) && order.every(isToggle);
  return turned ? order.toReversed() : order;
}

/** Effects whose values are ordered as for something that gives access: off is safer than on. */
const REACH = new Set<EffectName>(['exposure', 'identity']);

/** Values whose strength depends on what they turn on. */
function isToggle(value: string): boolean {
  return /^(enabled?|disabled?|on|off|true|false|active|inactive|yes|no|none|always|never)$/i.test(value);
}

/** For names that say little: a phrase of several words at the beginning of the text. */
function classifyByDocumentation(type: string, path: readonly string[], doc: string, kind: ValueKind) {
  const known = findConcept(type, path);
  if (doc === '' || (known !== undefined && known.basis !== 'weak')) return undefined;
  const words = splitWords(doc.replaceAll(/\(http[^)]*\)/g, '').split(/\.\s|\n/)[0]!).slice(0, MAX_WORDS);
  const match = matchPhrase(words);
  if (match === undefined || !match.strong || words.length - match.rest.length < 2) return undefined;
  const safe_end = findSafeEnd({ match, basis: 'block' }, splitWords(path.at(-1)!), kind);
  return { effect: match.concept.effect, safe_end };
}

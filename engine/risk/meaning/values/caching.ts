import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { member } from '../../attributes/values.ts';
import { readSwitch } from '../switch.ts';
import { readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const EDGE = listWords(
  'cloudfront cdn distribution frontdoor edge fastly cloudflare page backend bucket gateway stage method route rule ruleset',
);
/** Managed cache policies of CloudFront, by the first part of their ids: whether they store responses. */
const MANAGED_POLICIES = new Map([
  ['4135ea2d', false],
  ['658327ea', true],
  ['b2884449', true],
  ['08627262', true],
  ['2e54312d', true],
]);
const STORES = listWords('force_cache_all cache_everything cacheeverything aggressive override_origin');
const KEEPS_APART = listWords('use_origin_headers bypass basic no_store off disabled');
const PATHS = ['path_pattern', 'path', 'paths', 'route_path', 'patterns_to_match', 'expression', 'condition', 'target'];
const PERSONAL = listWords(
  'account profile me user cart basket checkout order patient member customer auth login session admin private payment ' +
    'billing invoice dashboard portal graphql wallet inbox message record claim booking statement card api my',
);
const STATIC = listWords(
  'static asset image img css js font media public download icon favicon svg png jpg jpeg gif webp woff woff2 next dist ' +
    'bundle lib vendor thumb thumbnail',
);
const MAX_CHARS = 1000;

/** Judges caches at the edge that begin to store responses: those for one user would be shown to others. */
export function judgeCaching(argument: Argument): ValueFinding | null {
  const { words, type, before, after, parent } = argument;
  const is_cache = hasAny(words, listWords('cache cached caching ttl'));
  if (!is_cache || !hasAny(type, EDGE)) return null;
  const [was, is] = [readCaching(words, before), readCaching(words, after)];
  if (was === undefined || is === undefined || was === is) return null;
  if (!is) return { ...report('low'), direction: 'strengthening' };
  return report(findLevel(parent));
}

function report(level: RiskLevel): ValueFinding {
  return {
    rule: 'R-VAL-CACHE',
    level,
    direction: level === 'low' ? 'neutral' : 'weakening',
    consequence: 'Responses are stored at the edge, so that one user may get what is meant for another',
    beyond_rules: true,
  };
}

/** Whether a value lets the edge store responses; undefined if it does not say so. */
function readCaching(words: ReadonlySet<string>, value: MaybeJson): boolean | undefined {
  if (words.has('ttl')) return words.has('default') || words.has('min') ? readTtl(value) : undefined;
  if (typeof value !== 'string') return readSwitch(value);
  const text = value.toLowerCase();
  if (STORES.has(text)) return true;
  if (KEEPS_APART.has(text)) return false;
  return MANAGED_POLICIES.get(text.slice(0, 8)) ?? (words.has('id') ? undefined : readSwitch(value));
}

function readTtl(value: MaybeJson): boolean | undefined {
  const seconds = readNumber(value);
  return seconds === null ? undefined : seconds > 0;
}

/** By what the paths of the rule are about. */
function findLevel(parent: MaybeJson): RiskLevel {
  const texts = PATHS.map((name) => member(parent, name)).flatMap((value) => (Array.isArray(value) ? value : [value]));
  const words = new Set(
    texts.flatMap((text) => (typeof text === 'string' ? splitWords(text.slice(0, MAX_CHARS)) : [])),
  );
  if (hasAny(words, STATIC)) return 'low';
  return hasAny(words, PERSONAL) ? 'high' : 'medium';
}

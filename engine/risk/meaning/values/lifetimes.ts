import type { MaybeJson } from '../../../changes/values.ts';
import { minLevel, stepDown } from '../../../model/levels.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { DAY, isUnlimited, isUnset, readSeconds } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** Without a value, what these words name never ends. */
const EXPIRES = listWords('ttl expiration expiry expire autoexpire');
const TIME = listWords('day week month year');
const KEEPS = listWords('retention retain retained keep');
/** Lifetimes of other things than stored data. */
const NOT_DATA = listWords(
  'token session cookie credential password lease cache cached cert certificate dns negative key secret refresh ' +
    'access jwt code link signed url presigned invite grace lock soft delete deleted deletion recovery undelete finished ' +
    'timeout alive client session role login neighbor arp idle size byte mb gb count backup number version update newer',
);
const NOT_DATA_TYPE = listWords(
  'cache cdn cloudfront dns record zone token session certificate auth oauth role policy grant membership ' +
    'assignment elevation delegation entitlement permission lease credential',
);
const HOLDS = listWords(
  'queue topic channel table collection bucket container stream database dataset index keyspace log backup snapshot ' +
    'subscription volume archive registry repository kafka audit trail ledger',
);
/** Stores whose contents exist nowhere else, unlike messages and logs on their way. */
const KEEPS_FOR_GOOD = listWords(
  'table collection bucket container stream database dataset keyspace volume kafka index',
);
/** Logs that are kept as evidence. */
const EVIDENCE = listWords('audit trail compliance security ledger');
/** Objects of which a container gives the lifetime only to those that are created later. */
const CONTENT = listWords('table partition object file artifact image');
const PASSES_ON = listWords('queue subscription log pubsub sns sqs servicebus eventhub backup snapshot registry');

/** Judges how long stored data lives: data that is older than a new, shorter lifetime is deleted at once. */
export function judgeLifetime(argument: Argument): ValueFinding | null {
  const { words, type, before, after, effect } = argument;
  if (!isLifetime(argument)) return null;
  const unit = hasAny(words, EXPIRES) ? 1 : DAY;
  const [from, to] = [readLifetime(before, argument, unit), readLifetime(after, argument, unit)];
  if (from === null || to === null) return null;
  if (from === to) return { ...FINDING, level: 'low', direction: 'neutral' };
  if (to > from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  const holds = argument.traits.kind !== null || hasAny(type, HOLDS) || argument.purpose === 'backup';
  const level = minLevel(findLevel(from, to), findMost(argument, from, to));
  if (!holds && effect.effect !== 'retention' && !saysHowLong(words)) return null;
  const known = holds || isForYears(from, to);
  return { ...FINDING, level: known ? level : stepDown(level), direction: 'weakening', beyond_rules: true };
}

/** `keep_days` says by itself that something is deleted later. */
function saysHowLong(words: ReadonlySet<string>): boolean {
  return hasAny(words, KEEPS) && hasAny(words, TIME);
}

/** What is kept for years is kept because somebody demands it, whatever holds it. */
function isForYears(from: number, to: number): boolean {
  return Number.isFinite(from) && from >= 360 * DAY && to < from / 5;
}

const FINDING = {
  rule: 'R-VAL-LIFETIME',
  consequence: 'Stored data that is older than the new lifetime is deleted',
} as const;

function isLifetime({ words, outer, type }: Argument): boolean {
  if (!hasAny(words, EXPIRES) && !hasAny(words, KEEPS)) return false;
  if (hasAny(words, NOT_DATA) || hasAny(outer, NOT_DATA)) return false;
  // A policy says how long something is kept as often as how long somebody may do something.
  return !hasAny(type, NOT_DATA_TYPE) || (hasAny(words, KEEPS) && isPolicyOnly(type));
}

function isPolicyOnly(type: ReadonlySet<string>): boolean {
  return [...type].every((word) => word === 'policy' || !NOT_DATA_TYPE.has(word));
}

function readLifetime(value: MaybeJson, { words, type, effect }: Argument, unit: number): number | null {
  const expires = hasAny(words, EXPIRES);
  if (isUnlimited(value)) return Number.POSITIVE_INFINITY;
  if (isUnset(value)) return expires ? Number.POSITIVE_INFINITY : null;
  const seconds = readSeconds(value, words, unit);
  if (seconds !== 0) return seconds;
  if (expires || effect.sentinel?.as === 'most' || type.has('log')) return Number.POSITIVE_INFINITY;
  return null;
}

/** The highest level for what the type holds. */
function findMost({ words, type, traits, effect }: Argument, from: number, to: number): RiskLevel {
  if (type.has('log') && !hasAny(type, EVIDENCE))
    return to < DAY ||
      (effect.inferred && to <= from / 20) ||
      (!effect.inferred && from >= 180 * DAY && to <= from / 12 && Number.isFinite(from))
      ? 'high'
      : 'medium';
  const is_store = hasAny(type, KEEPS_FOR_GOOD) && !hasAny(type, PASSES_ON);
  const is_later = words.has('default') && hasAny(words, CONTENT);
  return is_store && !is_later && (traits.kind === 'data' || traits.kind === 'container') ? 'critical' : 'high';
}

/** By how much shorter the lifetime is, and whether less than a day is left. */
function findLevel(from: number, to: number): RiskLevel {
  const falls = to <= from / 10 || isForYears(from, to);
  if (to < DAY && falls) return 'critical';
  if (falls) return from === Number.POSITIVE_INFINITY && to >= 30 * DAY ? 'medium' : 'high';
  return to < DAY && from >= 2 * DAY ? 'high' : 'medium';
}

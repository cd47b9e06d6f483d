import { isSameAddress, isSameArmId, isSameHost } from '../canonical/names.ts';
import { isSameDuration, isSameTime } from '../canonical/times.ts';
import type { AttributeDiff, JsonValue } from '../result.ts';
import { findNomination, type Nomination, nominationsOf } from './equivalences.ts';
import { looksLikeJson } from './json-text.ts';
import { isSameDocument } from './same-document.ts';

/** How a leaf changed, without its values; part of the fingerprint. */
export type ChangeShape =
  | 'to_unknown'
  | 'null_to_empty'
  | 'empty_to_null'
  | 'reorder'
  /** Two texts of one meaning: JSON documents and, where nominated, policies, times, addresses and names. */
  | 'json_equivalent'
  | 'case_only'
  | 'whitespace_only'
  | 'numeric_string'
  | 'timestamp_like'
  | 'hash_like'
  | 'default_filled'
  | 'value_change';

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
const HASH = /^(sha\d{1,3}[:-])?([0-9a-f]{32,128}|[0-9A-F]{32,128}|[A-Za-z0-9+/]{27,86}={1,2})$/;
const HASH_NAME = /hash|sha\d|md5|etag|checksum|digest|fingerprint/i;

/** What two texts of a nominated form are compared as. */
const SAME_TEXTS: { [kind in Nomination['kind']]?: (before: string, after: string) => boolean } = {
  time: isSameTime,
  duration: isSameDuration,
  address: isSameAddress,
  host: isSameHost,
  arm_id: isSameArmId,
};

/**
 * Whether both sides of a leaf are proven to mean the same as a whole: one document, or one list that its service keeps
 * as a set. Then no rule that watches the path can find a difference in it.
 *
 * @param type the resource type
 */
export function isSameMeaning(diff: AttributeDiff, type: string): boolean {
  const nominations = nominationsOf(type);
  const nomination = nominations === undefined ? null : findNomination(nominations, diff.path_segments);
  const shape = shapeOf(diff, nomination);
  return shape === 'json_equivalent' || (shape === 'reorder' && nomination?.kind === 'order');
}

/**
 * The shape of one changed leaf.
 *
 * Two sensitive values are never looked at: theirs is always `value_change`. A shape that claims equality is given only
 * where the values at hand prove it; `default_filled` also needs the nomination that names the default.
 *
 * @param diff with its raw values
 * @param nomination what the provider declares of this path, or null
 */
export function shapeOf(diff: AttributeDiff, nomination: Nomination | null): ChangeShape {
  if (diff.after_unknown) return 'to_unknown';
  if (diff.before_sensitive || diff.after_sensitive) return 'value_change';
  if (diff.op === 'reorder') return 'reorder';
  const { before, after } = diff;
  if (before === null) return shapeOfLone(after, 'null_to_empty', nomination);
  if (after === null) return shapeOfLone(before, 'empty_to_null', nomination);
  if (typeof before === 'string') {
    return typeof after === 'string'
      ? shapeOfTexts(before, after, diff, nomination)
      : shapeOfMixed(after, before, nomination);
  }
  if (typeof after === 'string') return shapeOfMixed(before, after, nomination);
  if (nomination?.kind !== 'block') return 'value_change';
  if (isEmpty(after) && isHollow(before)) return 'empty_to_null';
  return isEmpty(before) && isHollow(after) ? 'null_to_empty' : 'value_change';
}

/** One side is null or absent. */
function shapeOfLone(
  value: JsonValue,
  empty: 'null_to_empty' | 'empty_to_null',
  nomination: Nomination | null,
): ChangeShape {
  if (isEmpty(value)) return empty;
  if (nomination?.kind === 'block' && isHollow(value)) return empty;
  return nomination?.kind === 'default' && value === nomination.value ? 'default_filled' : 'value_change';
}

function isEmpty(value: JsonValue): boolean {
  if (value === '') return true;
  if (value === null || typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** Holds nothing but what a service would write for "not set". */
function isHollow(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object')
    return value === null || value === false || value === 0 || value === '';
  return Object.values(value).every(isHollow);
}

/** A number against a text: the same only when the text is how that number is written (`80`, not `080`). */
function shapeOfMixed(value: JsonValue, text: string, nomination: Nomination | null): ChangeShape {
  if (typeof value === 'boolean' && nomination?.kind === 'bool' && String(value) === text) return 'numeric_string';
  const exact = typeof value === 'number' && text.length <= 16 && String(value) === text;
  return exact ? 'numeric_string' : 'value_change';
}

function shapeOfTexts(before: string, after: string, diff: AttributeDiff, nomination: Nomination | null): ChangeShape {
  if (looksLikeJson(before) && looksLikeJson(after)) {
    if (isSameDocument(before, after, nomination)) return 'json_equivalent';
  } else if (nomination !== null && SAME_TEXTS[nomination.kind]?.(before, after)) return 'json_equivalent';
  if (equalButCase(before, after)) return 'case_only';
  if (nomination?.kind === 'case' && equalButCase(withoutBlanks(before), withoutBlanks(after))) return 'case_only';
  if (equalButBlanks(before, after)) return 'whitespace_only';
  if (nomination?.kind === 'space' && equalButBlanks(withoutIndent(before), withoutIndent(after))) {
    return 'whitespace_only';
  }
  if (before.length <= 40 && TIMESTAMP.test(before) && TIMESTAMP.test(after)) return 'timestamp_like';
  return areHashes(before, after, diff) ? 'hash_like' : 'value_change';
}

/** Only ASCII letters fold; any other difference counts. */
function equalButCase(before: string, after: string): boolean {
  if (before.length !== after.length) return false;
  for (let i = 0; i < before.length; i += 1) {
    if (foldCase(before.charCodeAt(i)) !== foldCase(after.charCodeAt(i))) return false;
  }
  return true;
}

function foldCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '');
}

/** Runs of blanks count as one blank, and as none at the ends. */
function equalButBlanks(before: string, after: string): boolean {
  let i = skipBlanks(before, 0);
  let j = skipBlanks(after, 0);
  for (;;) {
    const next = skipBlanks(before, i);
    const other = skipBlanks(after, j);
    if (next === before.length || other === after.length) return next === before.length && other === after.length;
    if (next > i !== other > j || before.charCodeAt(next) !== after.charCodeAt(other)) return false;
    i = next + 1;
    j = other + 1;
  }
}

/** A document without the blanks beside its tags. */
function withoutIndent(text: string): string {
  const pieces = text.split(/([<>])/);
  return pieces.map((piece) => piece.trim()).join('');
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function areHashes(before: string, after: string, diff: AttributeDiff): boolean {
  if (before.length !== after.length || before.length < 28 || before.length > 140) return false;
  return HASH_NAME.test(nameOf(diff.path_segments)) && HASH.test(before) && HASH.test(after);
}

function nameOf(segments: (string | number)[]): string {
  const name = segments.findLast((segment) => typeof segment === 'string');
  return typeof name === 'string' ? name : '';
}

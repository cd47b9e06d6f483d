import type { JsonValue } from '../model/result.ts';

/** A value for display: raw text to render as code, and a note. */
export interface ShownValue {
  /** null if the note replaces the value. */
  code: string | null;
  note: string;
}

const MAX_CHARACTERS = 80;
/** Number of characters shown before the first difference of two long texts. */
const LEAD = 20;
/** openapi.yaml, AttributeDiff.truncated */
const TRUNCATED_AT = 1024;

export function showAbsent(): ShownValue {
  return { code: null, note: 'not set' };
}

export function showWithheld(): ShownValue {
  return { code: null, note: '(sensitive)' };
}

export function showUnknown(): ShownValue {
  return { code: null, note: '(known after apply)' };
}

/**
 * Formats two values for comparison. Long values are cut at whole characters around their first difference; cuts are
 * marked, and the note states the full length.
 *
 * @param truncated whether the values were already truncated, so that their full length is unknown
 */
export function showPair(
  before: JsonValue,
  after: JsonValue,
  truncated = false,
): { before: ShownValue; after: ShownValue } {
  const texts = [toCharacters(before), toCharacters(after)] as const;
  if (truncated && before === after) return { before: showBeyond(), after: showBeyond() };
  const start = findExcerptStart(...texts);
  return { before: cut(before, texts[0], start, truncated), after: cut(after, texts[1], start, truncated) };
}

function toCharacters(value: JsonValue): string[] {
  return Array.from(JSON.stringify(value));
}

function showBeyond(): ShownValue {
  return { code: null, note: `(differs after the first ${TRUNCATED_AT} characters)` };
}

/** Start index of the excerpt of two long texts. */
function findExcerptStart(one: readonly string[], other: readonly string[]): number {
  if (Math.max(one.length, other.length) <= MAX_CHARACTERS) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same <= MAX_CHARACTERS / 2 ? 0 : same - LEAD;
}

function cut(value: JsonValue, characters: readonly string[], start: number, truncated: boolean): ShownValue {
  if (value === null) return showAbsent();
  const is_whole = characters.length <= MAX_CHARACTERS && start === 0;
  if (is_whole) return { code: characters.join(''), note: '' };
  const shown = characters.slice(start, start + MAX_CHARACTERS).join('');
  const end = start + MAX_CHARACTERS < characters.length ? '…' : '';
  return { code: `${start > 0 ? '…' : ''}${shown}${end}`, note: `(${describeLength(value, characters, truncated)})` };
}

function describeLength(value: JsonValue, characters: readonly string[], truncated: boolean): string {
  if (typeof value !== 'string') return `cut, ${characters.length} characters of JSON`;
  const { length } = Array.from(value);
  return truncated && value.length >= TRUNCATED_AT - 1
    ? `cut, more than ${length} characters`
    : `cut, ${length} characters`;
}

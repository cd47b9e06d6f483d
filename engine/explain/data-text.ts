/** Control, format (bidirectional, zero-width, tag), separator, private-use and unassigned characters, and markup. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0<>&`]/gu;

/**
 * Serializes data as JSON with unsafe characters escaped, so that none is invisible, acts as markup or closes a fence.
 * A model reads the escapes as the characters.
 */
export function quoteData(data: unknown): string {
  return JSON.stringify(data).replace(UNSAFE_CHARACTERS, escapeUnits);
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/** Removes the middle of a long text, because both ends identify an address. Does not split surrogate pairs. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.replace(LONE, '');
}

const LONE = /\p{Cs}/gu;

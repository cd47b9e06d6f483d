/** Control, format (bidirectional, zero-width, tag), separator, private and unassigned characters, and marks of markup. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0<>&`]/gu;

/**
 * JSON in which no character can act, hide or close a fence: what could is written as an escape, which a model reads as
 * the character all the same.
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

/** The middle left out of what is too long: both ends of an address say what it is. Never cut through a surrogate pair. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.replace(LONE, '');
}

const LONE = /\p{Cs}/gu;

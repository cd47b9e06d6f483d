import { MASK } from './scrubber.ts';
import { holdsSecret, maskSecrets } from './secret-patterns.ts';

/** A run of base64 that is long enough to hold a key; shorter ones are words. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{24,65536}={0,2}/g;
const ESCAPES = /\\u([0-9a-fA-F]{4})|\\\//g;

/**
 * A text of others, such as the answer of a model or an error message, without the known forms of secrets: also where
 * they stand in base64, or with characters escaped as JSON may escape them.
 *
 * @returns the same string when it holds none
 */
export function scrubText(text: string): string {
  const masked = maskSecrets(text, MASK).replace(BASE64_RUN, (run) => (hidesSecret(run) ? MASK : run));
  if (!masked.includes('\\')) return masked;
  const plain = masked.replace(ESCAPES, (written, code) => (code === undefined ? '/' : decodeCharacter(written, code)));
  return holdsSecret(plain) ? maskSecrets(plain, MASK) : masked;
}

function hidesSecret(run: string): boolean {
  return holdsSecret(Buffer.from(run, 'base64').toString('latin1'));
}

/** Characters that JSON must escape stay as they are: the text is still to be read. */
function decodeCharacter(written: string, code: string): string {
  const character = String.fromCharCode(Number.parseInt(code, 16));
  return /[\u0020-\u007e]/.test(character) && !/["\\]/.test(character) ? character : written;
}

import { MASK } from './scrubber.ts';
import { holdsSecret, maskSecrets } from './secret-patterns.ts';

/** A run of base64 that is long enough for a key. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{24,65536}={0,2}/g;
const ESCAPES = /\\u([0-9a-fA-F]{4})|\\\//g;

/**
 * Masks known secret formats in external text, such as a model's answer or an error message, including base64 and JSON
 * escapes.
 *
 * @returns the same string if it contains none
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

/** Keeps characters that JSON must escape, so that the text stays valid. */
function decodeCharacter(written: string, code: string): string {
  const character = String.fromCharCode(Number.parseInt(code, 16));
  return /[\u0020-\u007e]/.test(character) && !/["\\]/.test(character) ? character : written;
}

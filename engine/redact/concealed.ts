import { findAssignedValues } from './assigned-values.ts';
import { holdsBase64Text } from './base64-start.ts';
import { findCommandValues } from './command-values.ts';
import { type Found, maskDocument } from './documents.ts';
import { mayHoldHint } from './hint-filter.ts';
import { classifyLabel } from './labels.ts';
import type { Span } from './read-value.ts';
import { holdsSecret, maskSecrets } from './secret-patterns.ts';
import { findStatementValues } from './statement-values.ts';

const MIN_LENGTH = 8;
const MIN_BASE64_LENGTH = 16;
const BASE64 = /^[A-Za-z0-9+/_\r\n-]+={0,2}\s?$/;
/** A run of base64 whose first 18 bytes are letters, digits, punctuation or white space of ASCII. */
const BASE64_RUN = /(?<![A-Za-z0-9+/_-])(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){6}[A-Za-z0-9+/_-]{0,65536}={0,2}/g;
/** The first bytes of compressed content. */
const GZIP_START = 'H4sI';
const GZIP_RUN = /(?<![A-Za-z0-9+/_-])H4sI[A-Za-z0-9+/_-]{24,1048576}={0,2}/g;
const MAX_NESTING = 8;

/** Between a name and a value, or around a value, is always one of these. */
const SEPARATOR = /[\s="'@>$]|:\d{1,5}:/;
/** Words and signs of which at least one is part of every text that the searches below can find something in. */
const HINT =
  /pass|pwd|secret|token|credential|key|pw(?![a-z])|connection|psk|dsn|auth|bearer|basic |cookie|curl|identified|securestring|\$(?:2|apr1|[156y]|argon2)|\{s?sha\}|@|:(?:\d{1,5}|\*):|<<<|_user|net1? |mc |vault|stdin|sudo|community|[?&](?:sig|code)=|signature|verify|\/pass:/i;
const OPTION_HINT = /[\s"'](?:-[apPuwUk]|-encrypt|--user|--proxy-user)/;

/**
 * Replaces the secrets inside a longer text: in documents, scripts, command lines, env files, headers, connection
 * strings and SQL, also in base64. Names and references stay readable.
 *
 * @param onFound called with each secret that has a name or a known place; known formats are not reported
 * @returns the same string if it contains none
 */
export function maskConcealed(text: string, mask: string, onFound: Found = ignore, nesting = 0): string {
  if (text.length < MIN_LENGTH) return text;
  if (nesting > MAX_NESTING) return mask;
  const plain = mentionsSecrets(text) || holdsSecret(text) ? maskText(text, mask, onFound, nesting) : text;
  return plain === mask ? mask : maskBase64(plain, mask, onFound, nesting);
}

function ignore(): void {}

/** Reports what `maskConcealed` finds; cheaper for texts without secrets. */
export function findConcealed(text: string, mask: string, onFound: Found): void {
  if (text.length < MIN_LENGTH) return;
  if (mentionsSecrets(text) || holdsBase64Text(text)) maskConcealed(text, mask, onFound);
}

/** Quick test whether a text could contain a secret with a name or at a known place, outside of base64. */
function mentionsSecrets(text: string): boolean {
  return SEPARATOR.test(text) && ((mayHoldHint(text) && HINT.test(text)) || OPTION_HINT.test(text));
}

function maskText(text: string, mask: string, onFound: Found, nesting: number): string {
  const maskInner = (inner: string) => maskConcealed(inner, mask, onFound, nesting + 1);
  const search = { mask, onFound, classify: classifyLabel, maskText: maskInner };
  const document = maskDocument(text, search);
  const masked = document ?? maskSpans(text, mask, onFound);
  if (isKnownFormat(text)) return mask;
  return maskSecrets(masked, mask);
}

/** Whether a text is a single value in a known format, such as an address, which is withheld as a whole. */
export function isKnownFormat(text: string): boolean {
  return !text.includes('\n') && !/^\s*[[{]/.test(text) && holdsSecret(text);
}

/** Replaces the secrets of a text that is no JSON document, without decoding base64. */
export function maskSpans(text: string, mask: string, onFound: Found = ignore): string {
  if (text.length < MIN_LENGTH || !mentionsSecrets(text)) return text;
  let masked = '';
  let kept = 0;
  for (const { start, end } of listSpans(text)) {
    if (end <= kept || text.slice(start, end) === mask) continue;
    onFound(text.slice(start, end).trim());
    masked += start < kept ? '' : text.slice(kept, start) + mask;
    kept = end;
  }
  return kept === 0 ? text : masked + text.slice(kept);
}

/** Sorted by their start; they may overlap. */
function listSpans(text: string): Span[] {
  const options = OPTION_HINT.test(text) ? findCommandValues(text) : [];
  return [...findAssignedValues(text), ...findStatementValues(text), ...options].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
}

function maskBase64(text: string, mask: string, onFound: Found, nesting: number): string {
  // What is compressed cannot be searched, and nobody can read it.
  if (text.includes(GZIP_START)) return text.replace(GZIP_RUN, mask);
  if (!holdsBase64Text(text)) return text;
  const decoded = decodeBase64(text);
  if (decoded !== undefined) return maskConcealed(decoded, mask, onFound, nesting + 1) === decoded ? text : mask;
  return text.replace(BASE64_RUN, (run) => {
    const inner = Buffer.from(run, 'base64').toString('latin1');
    return maskConcealed(inner, mask, onFound, nesting + 1) !== inner ? mask : run;
  });
}

/** Whether a text contains a secret inside a document, script, command line or base64, or in a known format. */
export function concealsSecret(text: string): boolean {
  return maskConcealed(text, '') !== text;
}

/** The decoded text if the whole string is base64 of valid UTF-8, else undefined. */
export function decodeBase64(text: string): string | undefined {
  if (text.length < MIN_BASE64_LENGTH || !BASE64.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return decoded.includes('\ufffd') ? undefined : decoded;
}

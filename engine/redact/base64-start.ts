/** Bits of a character: part of base64, also of the form for URLs, and the first of three bytes of ASCII text. */
const IN_RUN = 1;
const STARTS_TEXT = 2;
const KINDS = new Uint8Array(128);
for (let code = 0; code < KINDS.length; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9+/_-]/.test(character)) KINDS[code] = IN_RUN;
  if (/[CDI-Za-f]/.test(character)) KINDS[code] = IN_RUN + STARTS_TEXT;
}
const GROUP = 4;
const GROUPS = 4;

/**
 * Whether a text contains a run of base64 whose first 12 bytes are letters, digits, punctuation or white space of ASCII.
 * Every text of a plan is searched, so this is a loop, several times faster than a regular expression.
 */
export function holdsBase64Text(text: string): boolean {
  const last = text.length - GROUP * GROUPS;
  for (let at = 0; at <= last; at++) {
    const start = at;
    while (at < text.length && isInRun(text.charCodeAt(at))) at++;
    if (at - start >= GROUP * GROUPS && startsText(text, start)) return true;
  }
  return false;
}

function isInRun(code: number): boolean {
  return code < KINDS.length && (KINDS[code]! & IN_RUN) !== 0;
}

function startsText(text: string, start: number): boolean {
  for (let group = 0; group < GROUPS; group++) {
    if ((KINDS[text.charCodeAt(start + group * GROUP)]! & STARTS_TEXT) === 0) return false;
  }
  return true;
}

/** A part of a text, from `start` up to but not including `end`. */
export interface Span {
  start: number;
  end: number;
}

/** A value in a text, without its quotes. */
export interface FoundValue extends Span {
  quoted: boolean;
}

const MAX_VALUE = 65_536;
/** A quote with its prefix: SQL's `N'…'`, and backslashes where a document contains another one. */
const OPENING = /N?(\\{0,7})(["'`])/y;
const ENDS_VALUE = /[\s"'`<>]/;
/** Punctuation that ends a value because nothing follows it, or the next name does. */
const ENDING =
  /[;&|,)\]}]{1,8}(?:["'`\s<]|\\[nrt"']|$)|[;&,]\s{0,2}["']?[A-Za-z][\w .-]{0,40}["']?\s?[=:]|\\[nrt"'\\]/y;
const PUNCTUATION = /[;&|,)\]}\\]/;
/** YAML: the value is on the next line. */
const BLOCK = /[|>][+-]?\d?[ \t]{0,8}\r?\n[ \t]{0,80}/y;
/** ODBC: `PWD={…}` */
const BRACES = /\{([^{}\r\n]{1,256})\}/y;

/** Reads the value that starts at a position: with quotes, in a YAML block, or up to whitespace or a separator. */
export function readValue(text: string, at: number): FoundValue {
  OPENING.lastIndex = at;
  const [opening, slashes = '', quote] = OPENING.exec(text) ?? [];
  if (opening !== undefined) return readQuoted(text, at + opening.length, quote as string, slashes.length);
  BLOCK.lastIndex = at;
  const [block] = BLOCK.exec(text) ?? [];
  if (block !== undefined) return readLine(text, at + block.length);
  BRACES.lastIndex = at;
  const [braces] = BRACES.exec(text) ?? [];
  if (braces !== undefined) return { start: at + 1, end: at + braces.length - 1, quoted: true };
  return readBare(text, at);
}

/** Up to the same quote after as many backslashes, or to the end of the line. */
function readQuoted(text: string, start: number, quote: string, slashes: number): FoundValue {
  const limit = Math.min(text.length, start + MAX_VALUE);
  let run = 0;
  let end = start;
  for (; end < limit; end++) {
    const character = text[end];
    if (character === '\n') break;
    if (character === quote && run <= slashes) return { start, end: end - run, quoted: true };
    run = character === '\\' ? run + 1 : 0;
    if (slashes === 0 && run === 2) run = 0;
  }
  return { start, end, quoted: true };
}

function readBare(text: string, start: number): FoundValue {
  const limit = Math.min(text.length, start + MAX_VALUE);
  let end = start;
  for (; end < limit; end++) {
    const character = text[end] as string;
    if (ENDS_VALUE.test(character)) break;
    if (!PUNCTUATION.test(character)) continue;
    ENDING.lastIndex = end;
    if (ENDING.test(text)) break;
  }
  return { start, end, quoted: false };
}

/** Up to the end of the line, such as a passphrase of several words. */
export function readLine(text: string, start: number): FoundValue {
  const limit = Math.min(text.length, start + MAX_VALUE);
  let end = start;
  while (end < limit && text[end] !== '\n' && text[end] !== '\r') end++;
  while (end > start && /[\s"']/.test(text[end - 1] as string)) end--;
  return { start, end, quoted: true };
}

/** Up to a character, such as the `@` after a password in a URL or the `<` of a closing tag. */
export function readUntil(text: string, start: number, stop: string): FoundValue {
  const at = text.indexOf(stop, start);
  const end = at < 0 || at - start > MAX_VALUE ? start : at;
  return { start, end, quoted: true };
}

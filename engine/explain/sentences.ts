import type { NameFinder } from './names.ts';
import type { KnownFacts, KnownName } from './types.ts';

/** A name in a text: a known name, or unknown text that was formatted as code. */
export interface Atom {
  text: string;
  known: KnownName | undefined;
}

/** Sentences in which each name that may contain a period is replaced by one placeholder character. */
export interface Masked {
  sentences: string[];
  /** Indexed by `indexOfAtom` of the placeholder. */
  atoms: Atom[];
}

const FIRST_ATOM = 0xe000;
const MAX_ATOMS = 2_000;
const PRIVATE = /\p{Co}/gu;
const UNREADABLE = '\ufffd';
const FENCE = /^ {0,3}(?:```|~~~)/;
const CODE = /(?<!`)(`{1,3})(?!`)([^`\n][^\n]*?)(?<!`)\1(?!`)/g;
const PICTURES = /[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f\u20e3]/gu;
const LIST_MARK = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const EMPHASIS =
  /\*\*(?=\S)([^*\n]{1,400}?)\*\*|(?<!\w)__(?=\S)([^_\n]{1,400}?)__(?!\w)|(?<![\w*])\*(?=\S)([^*\n]{1,400}?)\*(?![\w*])/g;
/** End of a sentence: punctuation, closing quotes or parentheses, and whitespace; not after `e.g.` and `i.e.`. */
const END = /(?<!\b(?:e\.g|i\.e|vs|etc|approx|incl))(?<=[.!?]["')]?)\s+/;

export function indexOfAtom(character: string): number {
  const index = character.charCodeAt(0) - FIRST_ATOM;
  return index >= 0 && index < MAX_ATOMS ? index : -1;
}

/** Matches placeholder characters. */
export const ATOM = new RegExp(
  `[\\u{${FIRST_ATOM.toString(16)}}-\\u{${(FIRST_ATOM + MAX_ATOMS - 1).toString(16)}}]`,
  'u',
);

/** Splits a model's text into sentences; removes fenced blocks, emoji, emphasis and list markers. */
export function splitSentences(text: string, known: KnownFacts, finder: NameFinder): Masked {
  const atoms: Atom[] = [];
  const mask = (atom: Atom) => {
    if (atoms.length >= MAX_ATOMS) return UNREADABLE;
    return String.fromCharCode(FIRST_ATOM + atoms.push(atom) - 1);
  };
  const plain = withoutFences(text.replace(PRIVATE, UNREADABLE));
  const coded = plain.replace(CODE, (_, __, code: string) => {
    const name = unescapeCode(code);
    return mask({ text: name, known: known.names.get(name) });
  });
  const masked = maskNames(coded, finder, mask);
  const sentences = masked.split('\n').flatMap((line) => {
    const rest = line.replace(LIST_MARK, '').replace(EMPHASIS, '$1$2$3').replace(PICTURES, '');
    return rest.split(END).map((sentence) => sentence.replace(/[ \t]+/g, ' ').trim());
  });
  return { sentences: sentences.filter((sentence) => sentence !== ''), atoms };
}

/** Removes one space from both ends of a code span, if both have one. */
function unescapeCode(code: string): string {
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code;
}

function withoutFences(text: string): string {
  if (!/```|~~~/.test(text)) return text;
  let inside = false;
  const lines = text.split('\n').filter((line) => {
    const fence = FENCE.test(line) && !/^ {0,3}```[^`]+```/.test(line);
    if (fence) inside = !inside;
    return !fence && !inside;
  });
  return lines.join('\n');
}

/** Replaces names with quotes, brackets or spaces by placeholders. */
function maskNames(text: string, finder: NameFinder, mask: (atom: Atom) => string): string {
  let masked = '';
  let kept = 0;
  for (const { start, name, known } of finder.find(text)) {
    masked += text.slice(kept, start) + mask({ text: name, known });
    kept = start + name.length;
  }
  return masked + text.slice(kept);
}

import { capitalize } from '../lib/capitalize.ts';
import { dropTrailing } from '../lib/trim.ts';
import type { Change } from '../model/result.ts';
import { codeSpan, proseWithin } from '../render/inert.ts';
import { type ClaimContext, findClaimFault } from './claims.ts';
import { holdsKnownNumbers } from './numbers.ts';
import { ATOM, type Atom, indexOfAtom } from './sentences.ts';
import type { KnownFacts, KnownName } from './types.ts';

const MAX_SENTENCE = 500;
const TYPOGRAPHY: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019]/g, "'"],
  [/[\u201c\u201d]/g, '"'],
  [/\u2011/g, '-'],
  [/\u2026/g, '...'],
  [/\u00a0|\u202f/g, ' '],
];
const LETTERS = /[A-Za-z]{2}/;
const ATOMS = ATOM.source;
/** ASCII letters, digits, inert punctuation, and placeholders for names. */
const PLAIN = new RegExp(`^(?:[A-Za-z0-9 .,;:'"()/%_-]|${ATOMS})*$`, 'u');
const BEGINNING = new RegExp(`^(?:[A-Za-z"'(]|${ATOMS}|\\d+(?![.),\\d]))`, 'u');
/** Characters that could start a link, a command or a reference. */
const ACTIVE_SYNTAX = /:(?!\s|$)|(?<![A-Za-z0-9)])\/|\/(?![A-Za-z0-9])|\/\/|%(?=\w)|--|'{2,}|"{2,}/;
const GLUED = new RegExp(`[\\w./-]${ATOMS}|${ATOMS}(?:[\\w/-]|\\.\\w|'(?!s\\b|\\s|$))|${ATOMS}${ATOMS}`, 'u');
const WORD = new RegExp(`${ATOMS}|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?`, 'gu');
const ABBREVIATIONS: ReadonlySet<string> = new Set(['e.g', 'i.e', 'a.k.a', 'u.s', 'a.m', 'p.m']);

/** Terraform terms that may be formatted as code. */
const TOOL_WORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'count',
  'for_each',
  'lifecycle',
  'prevent_destroy',
  'create_before_destroy',
  'ignore_changes',
  'replace_triggered_by',
  'moved',
  'removed',
  'import',
  'terraform plan',
  'tofu plan',
]);

/** An accepted sentence. */
export interface Checked {
  markdown: string;
  /** Text without code formatting. */
  plain: string;
  /** Addresses of the planned changes that it names. */
  addresses: string[];
}

/** A sentence to check: its text, the names in it, and the change it is about. */
export interface Candidate {
  text: string;
  atoms: readonly Atom[];
  about?: Change;
}

/**
 * Accepts a sentence of a model, or returns why not. Accepted sentences contain only plain ASCII words, names from the
 * plan as code spans and numbers from the plan, and no claim that contradicts the analysis.
 */
export function checkSentence(
  candidate: Candidate,
  known: KnownFacts,
  context: ClaimContext,
): Checked | { why: string } {
  const text = plainTypography(candidate.text);
  if (text.length > MAX_SENTENCE) return { why: 'is too long' };
  if (!PLAIN.test(text)) return { why: 'contains characters that are not allowed' };
  if (!BEGINNING.test(text) || ACTIVE_SYNTAX.test(text) || GLUED.test(text)) return { why: 'contains active markup' };
  if (!hasWords(text) || /[:,;(-]$/.test(text)) return { why: 'is not a complete sentence' };

  const parts = splitNames(text, candidate.atoms, known);
  if (parts === null) return { why: 'contains a name that is not in the plan' };
  const words = parts.map((part) => (typeof part === 'string' ? part : ' ')).join('');
  if (!holdsKnownNumbers(words, known.numbers)) return { why: 'contains a number that is not in the plan' };

  const about = collectChanges(parts, candidate.about, context);
  const fault = findClaimFault(toClaim(parts), about, context);
  if (fault !== null) return { why: fault };
  const whole = finish(parts);
  return {
    markdown: whole.map((part) => (typeof part === 'string' ? proseWithin(part) : codeSpan(part.shown))).join(''),
    plain: whole.map((part) => (typeof part === 'string' ? part : part.shown)).join(''),
    addresses: collectChanges(parts, undefined, context).map(({ address }) => address),
  };
}

/** Replaces typographic punctuation with ASCII. */
export function plainTypography(text: string): string {
  const parts = text.split(/[\u2013\u2014]/);
  const dashed = parts
    .map((part, i) => (i === 0 ? part : part.trimStart()))
    .map((part, i) => (i === parts.length - 1 ? part : part.trimEnd()))
    .join(' - ');
  const written = TYPOGRAPHY.reduce((rest, [from, to]) => rest.replace(from, to), dashed);
  const ended = dropTrailing(written, '!?');
  return ended === written ? written : `${ended}.`;
}

/** Whether the text contains a word and something else, separated by a space. */
export function hasWords(text: string): boolean {
  const letters = text.search(LETTERS);
  const blank = text.search(/\s/);
  return (letters >= 0 && /\s\S/.test(text.slice(letters + 2))) || (blank >= 0 && LETTERS.test(text.slice(blank + 1)));
}

/** Adds an initial capital and a final period. */
function finish(parts: readonly (string | KnownName)[]): (string | KnownName)[] {
  const [first = '', ...rest] = parts;
  const begun = typeof first === 'string' ? capitalize(first) : first;
  const last = rest.at(-1) ?? begun;
  return [begun, ...rest, typeof last === 'string' && /[.]["')]?$/.test(last) ? '' : '.'];
}

/** Splits a sentence into words and names; null if it contains an unknown name. */
function splitNames(text: string, atoms: readonly Atom[], known: KnownFacts): (string | KnownName)[] | null {
  const parts: (string | KnownName)[] = [];
  let kept = 0;
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    const atom = atoms[indexOfAtom(word)];
    const name = atom === undefined ? findWord(word, known) : findAtom(atom, known);
    if (name === null) return null;
    if (name === undefined) continue;
    parts.push(text.slice(kept, match.index), name);
    kept = match.index + word.length;
  }
  parts.push(text.slice(kept));
  return parts;
}

/** @returns undefined for an ordinary word, null for an unknown name */
function findWord(word: string, { names }: KnownFacts): KnownName | undefined | null {
  if (/^[A-Za-z-]+$/.test(word) || /^[\d.,]+$/.test(word)) return undefined;
  const known = names.get(word);
  if (known !== undefined) return known;
  if (TOOL_WORDS.has(word)) return { shown: word, change: null };
  const isName = word.includes('_') || (word.includes('.') && !ABBREVIATIONS.has(word.toLowerCase()));
  return isName && !/^[A-Za-z]{0,3}\d+(?:\.\d+)+$/.test(word) ? null : undefined;
}

function findAtom({ text, known }: Atom, { names }: KnownFacts): KnownName | null {
  if (known !== undefined) return known;
  if (TOOL_WORDS.has(text)) return { shown: text, change: null };
  return findAttribute(text, names);
}

/** An address followed by an attribute path: `aws_db_instance.main.engine_version`. */
function findAttribute(text: string, names: KnownFacts['names']): KnownName | null {
  for (let dot = text.indexOf('.'); dot > 0; dot = text.indexOf('.', dot + 1)) {
    const left = names.get(text.slice(0, dot));
    const right = names.get(text.slice(dot + 1));
    if (left !== undefined && left.change !== null && right !== undefined && right.change === null) {
      return { shown: `${left.shown}.${right.shown}`, change: left.change };
    }
  }
  return null;
}

function collectChanges(
  parts: readonly (string | KnownName)[],
  about: Change | undefined,
  context: ClaimContext,
): Change[] {
  const changes = about === undefined ? [] : [about];
  for (const part of parts) {
    if (typeof part === 'string' || part.change === null) continue;
    const change = context.analysis.changes[part.change];
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

/** The sentence as lowercase text for claim checks; names that look like plain words stay words. */
function toClaim(parts: readonly (string | KnownName)[]): string {
  const words = parts.map((part) => {
    if (typeof part === 'string') return part;
    return part.change === null && /^[A-Za-z -]+$/.test(part.shown) ? part.shown : ' item ';
  });
  return words.join('').toLowerCase().replace(/\s+/g, ' ').trim();
}

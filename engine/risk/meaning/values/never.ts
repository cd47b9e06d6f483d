/** Judges queries, filters and policies that come to hold a test which nothing passes, or everything. */
import { holdsConditions } from './queries.ts';
import { findRole } from './roles.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

/** In a text without blanks and parentheses, of which each line ends with a semicolon. */
const NEVER = /(?:^|where|and|&&|\||;)(?:1==?0|0==?1|false)(?:$|and|&&|\||;)/i;
const MAX_CHARS = 20_000;

/** `{env:prod,!env:prod}`: the tag must be there and must not. */
const TAGS = /\{([^{}]{1,2000})\}/g;
/** Patterns that match no text, or only an empty one, as a quoted text. */
const NO_TEXT = /(["'])(?:\^\$|\$\^|\.\^|\(\?!\)|a\^|x\^)\1/;
/** `a.b = a.b`, and `x IS NOT NULL` as one of several conditions; the two sides are compared in the code. */
const COMPARED =
  /(?:^|[\s(])([a-z_][\w.$"]{0,80})(?:\s{1,3}=\s{1,3}|\s{0,3}={2,3}\s{0,3})([a-z_][\w.$"]{0,80})(?=$|[\s)&|;,])/gi;
const OR_ANY =
  /\bor\s{1,3}[\w.$"]{1,80}\s{1,3}is\s{1,3}not\s{1,3}null\b|\bor\s{1,3}(?:true\b|(\d{1,3})\s{0,3}={1,2}\s{0,3}\1\b)/i;

const PROGRAMS = listWords('script code content source document');

/** Judges conditions that come to hold never, or always. */
export function judgeNever(argument: Argument): ValueFinding | null {
  const { words, before, after } = argument;
  if (typeof after !== 'string' || (before !== null && before !== undefined && typeof before !== 'string')) return null;
  if (!holdsConditions(words)) return null;
  const [was, is] = [(before ?? '').slice(0, MAX_CHARS), after.slice(0, MAX_CHARS)];
  if (holdsNever(is) && !holdsNever(was)) return { ...FINDING, consequence: 'The condition is never true' };
  // Scripts leave out empty lines with such a pattern.
  if (!hasAny(words, PROGRAMS) && matchesNothing(is) && !matchesNothing(was))
    return { ...FINDING, consequence: 'The pattern matches no text, or only an empty one' };
  // An alarm or export that always holds is seen at once.
  if (was === '' || !holdsAlways(is) || holdsAlways(was) || findRole(argument) === 'watches') return null;
  return { ...FINDING, consequence: 'The condition is always true' };
}

const FINDING = { rule: 'R-VAL-CONDITION', level: 'high', direction: 'weakening', beyond_rules: true } as const;

function holdsNever(query: string): boolean {
  return NEVER.test(compact(query)) || [...query.matchAll(TAGS)].some(([, tags = '']) => contradicts(tags));
}

function contradicts(tags: string): boolean {
  const named = new Set(tags.split(',').map((tag) => tag.trim()));
  return [...named].some((tag) => (tag.startsWith('!') || tag.startsWith('-')) && named.has(tag.slice(1)));
}

function matchesNothing(text: string): boolean {
  return NO_TEXT.test(text);
}

/** A name beside itself is an argument or an assignment outside of a condition. */
const IN_CONDITION = /\b(?:where|exists|having|case|when|and|or)\b|&&|\|\|/i;

function holdsAlways(query: string): boolean {
  return (
    OR_ANY.test(query) ||
    (IN_CONDITION.test(query) && [...query.matchAll(COMPARED)].some(([, one, other]) => one === other))
  );
}

function compact(query: string): string {
  return query.replace(/\n/g, ';').replace(/[\s()]/g, '');
}

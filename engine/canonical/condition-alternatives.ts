/** Compares boolean conditions by what they hold for. */
import type { BooleanCondition } from './boolean-conditions.ts';
import { readCondition } from './conditions.ts';

/** The tests that must all hold, for one of the alternatives of a condition. */
export type Alternative = ReadonlySet<string>;

/** What a condition holds for after a change, compared to before. */
export type Reach = 'same' | 'narrower' | 'wider' | 'other';

export interface Comparison {
  reach: Reach;
  /** Alternatives after the change, of which at least a part did not match before. */
  added: readonly Alternative[];
  /** All alternatives before the change. */
  before: readonly Alternative[];
  /** Alternatives before the change, of which at least a part does not match any more. */
  lost: readonly Alternative[];
}

const MAX_ALTERNATIVES = 200;
const MAX_LISTED = 100;
const EVERYTHING: Alternative = new Set();
/** `field in {"a" "b"}` and `field in ["a", "b"]`. */
const LISTED = /^([\w.[\]"-]{1,200}) in (?:\{([^{}]{0,4000})\}|\[([^[\]]{0,4000})\])$/;
const ENTRY = /"[^"]{0,1000}"|'[^']{0,1000}'|[^\s,"']{1,1000}/g;
const EQUALS = /^([\w.[\]"-]{1,200}) ?(?:==|eq) ?((?:"[^"]*"|'[^']*'|[^\s"']+))$/;

/** @returns null if one of the conditions cannot be read */
export function compareConditions(before: string, after: string): Comparison | null {
  const [earlier, later] = [readCondition(before), readCondition(after)];
  return earlier === null || later === null ? null : compareTrees(earlier, later);
}

/** @returns null if one of the conditions has too many alternatives */
export function compareTrees(before: BooleanCondition, after: BooleanCondition): Comparison | null {
  const [earlier, later] = [listAlternatives(before), listAlternatives(after)];
  if (earlier === null || later === null) return null;
  const added = later.filter((one) => !earlier.some((known) => covers(known, one)));
  const lost = earlier.filter((one) => !later.some((known) => covers(known, one)));
  const reach = added.length > 0 ? (lost.length > 0 ? 'other' : 'wider') : lost.length > 0 ? 'narrower' : 'same';
  return { reach, added, lost, before: earlier };
}

/** The alternatives of a condition; null if it has too many. */
export function listAlternatives(tree: BooleanCondition): readonly Alternative[] | null {
  return expand(tree, false);
}

/** Whether one alternative holds whenever the other does: it demands the same or less. */
function covers(known: Alternative, one: Alternative): boolean {
  return [...known].every((test) => one.has(test));
}

/** Pushes negations down to the tests. */
function expand(tree: BooleanCondition, negated: boolean): readonly Alternative[] | null {
  if (tree.kind === 'not') return expand(tree.part, !negated);
  if (tree.kind === 'test') return expandTest(tree.text, negated);
  const parts: (readonly Alternative[])[] = [];
  for (const part of tree.parts) {
    const found = expand(part, negated);
    if (found === null) return null;
    parts.push(found);
  }
  return (tree.kind === 'any') === negated ? multiply(parts) : limit(parts.flat());
}

function expandTest(text: string, negated: boolean): readonly Alternative[] | null {
  if (/^(?:true|1)$/i.test(text)) return negated ? [] : [EVERYTHING];
  if (/^(?:false|0)$/i.test(text)) return negated ? [EVERYTHING] : [];
  const tests = listTests(text);
  if (negated) return [new Set(tests.map((test) => `not ${test}`))];
  return limit(tests.map((test) => new Set([test])));
}

/** A test of a list as one test for each entry. */
function listTests(text: string): string[] {
  const equal = EQUALS.exec(text);
  if (equal !== null) return [writeEqual(equal[1]!, equal[2]!)];
  const [, field, braces, brackets] = LISTED.exec(text) ?? [];
  const entries = (braces ?? brackets)?.match(ENTRY) ?? [];
  if (field === undefined || entries.length === 0 || entries.length > MAX_LISTED) return [text];
  return entries.map((entry) => writeEqual(field, entry));
}

function writeEqual(field: string, value: string): string {
  return `${field} eq ${value.replace(/^'(.*)'$/s, '"$1"')}`;
}

function multiply(parts: readonly (readonly Alternative[])[]): readonly Alternative[] | null {
  let found: readonly Alternative[] = [EVERYTHING];
  for (const part of parts) {
    if (found.length * part.length > MAX_ALTERNATIVES) return null;
    found = found.flatMap((one) => part.map((other) => new Set([...one, ...other])));
  }
  return found.filter(isPossible);
}

/** No test both holds and does not. */
function isPossible(alternative: Alternative): boolean {
  return [...alternative].every((test) => !alternative.has(`not ${test}`));
}

function limit(found: readonly Alternative[]): readonly Alternative[] | null {
  return found.length > MAX_ALTERNATIVES ? null : found;
}

/** The outline of a condition or query: its operators and names of fields, with all values left out. */
import { isQueryName } from './text-parts.ts';

const TOKEN =
  /"[^"]*"|'[^']*'|[$@]?[A-Za-z_][\w.:-]*(?:\[[^\]]{0,60}\])?|[<>=!~&|]{1,3}|[(){},*]|\d+(?:\.\d+)?[A-Za-z%]{0,3}|\S/g;
/** Words of query languages. */
const KEYWORDS = new Set(
  `and or not in eq ne ge gt le lt contains starts_with startswith endswith ends_with matches has any all exists absent
  where by sum avg min max count rate increase last true false null case when then else end between like is`.split(
    /\s+/,
  ),
);
/** Fields have a dot, an underscore or a sigil; plain words may be a sentence. */
const FIELD = /^(?:[$@][\w.]{1,40}|(?=[A-Za-z0-9]*[._])[A-Za-z][\w.]{1,100})$/;
const OPERATOR = /^(?:[<>=!~&|]{1,3}|[(){},*])$/;
const OMITTED = '…';
const MAX_TEXT = 4_096;
const MAX_OUTLINE = 240;

/**
 * Outlines of two conditions, if they differ: `assertion.repository == …  &&  assertion.ref == …`.
 *
 * @param name the name of the attribute
 */
export function outlineSides(
  before: string,
  after: string,
  name: string | undefined,
): { before: string; after: string } | null {
  if (!isQueryName(name) || before.length + after.length > MAX_TEXT) return null;
  const sides = { before: outline(before), after: outline(after) };
  const is_short = sides.before.length <= MAX_OUTLINE && sides.after.length <= MAX_OUTLINE;
  return sides.before === sides.after || !is_short ? null : sides;
}

function outline(text: string): string {
  const words: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const word = OPERATOR.test(token) || FIELD.test(token) || KEYWORDS.has(token.toLowerCase()) ? token : OMITTED;
    if (word !== OMITTED || words.at(-1) !== OMITTED) words.push(word);
  }
  return words.join(' ');
}

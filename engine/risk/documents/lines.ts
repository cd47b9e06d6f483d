import type { DocumentDifference } from '../../documents/types.ts';
import { compareLevels } from '../../model/levels.ts';
import { ADDED, type LineRule, RESTRICTS } from './script-rules.ts';

/** The gravest finding about the lines of a document. */
export interface LineFinding extends LineRule {
  /** The line that the finding is about, as it is in the document. */
  line: string;
  removed: boolean;
}

const MAX_LINE_CHARS = 2000;

/**
 * Judges the lines that a text gains and loses.
 *
 * @param is_new the whole document is new, so nothing is lost
 * @returns the gravest finding; null when no rule matches
 */
export function judgeLines(differences: readonly DocumentDifference[], is_new: boolean): LineFinding | null {
  let gravest: LineFinding | null = null;
  const note = (found: LineFinding | null) => {
    if (found !== null && (gravest === null || compareLevels(found.level, gravest.level) > 0)) gravest = found;
  };
  const added = differences.map(({ after }) => after).filter(isLine);
  for (const line of added) note(findRule(ADDED, line, false));
  if (is_new) return gravest;
  for (const { before, after } of differences) {
    if (isLine(before) && after === undefined) note(findLostRestriction(before, added));
  }
  return gravest;
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function findRule(rules: readonly LineRule[], line: string, removed: boolean): LineFinding | null {
  const text = line.slice(0, MAX_LINE_CHARS);
  const rule = rules.find(({ pattern }) => pattern.test(text));
  return rule === undefined ? null : { ...rule, line, removed };
}

/** A restriction is lost unless a new line has the same kind of restriction: then it only reads differently. */
function findLostRestriction(line: string, added: readonly string[]): LineFinding | null {
  const found = findRule(RESTRICTS, line, true);
  if (found === null) return null;
  const is_replaced = added.some((other) => found.pattern.test(other.slice(0, MAX_LINE_CHARS)));
  return is_replaced ? null : found;
}

import type { DocumentDifference } from '../../documents/types.ts';
import { compareLevels } from '../../model/levels.ts';
import { judgeEditedLine } from './edited-lines.ts';
import { findHostMoveInLine } from './hosts.ts';
import { pairLines } from './line-pairs.ts';
import { isProse } from './prose.ts';
import type { Restriction } from './restrictions.ts';
import { ADDED, type LineConsequence, matchesLine } from './script-rules.ts';
import { opensDefault } from './sql-default.ts';

/** The gravest finding about the lines of a document. */
export interface LineFinding extends LineConsequence {
  /** The line that the finding is about, as it is in the document. */
  line: string;
  removed: boolean;
}

const MAX_LINE_CHARS = 2000;

/**
 * Judges the lines that a text gains and loses.
 *
 * @param lost which restrictions of lost lines count: none if the whole document is new
 * @returns the gravest finding; null when no rule matches
 */
export function judgeLines(
  differences: readonly DocumentDifference[],
  restrictions: readonly Restriction[],
): LineFinding | null {
  const added = differences.filter(({ before }) => before === undefined).map(({ after }) => after);
  const removed = differences.filter(({ after }) => after === undefined).map(({ before }) => before);
  const lines = added.filter(isLine);
  const lost = removed.filter(isLine);
  const pairs = new Map([...pairLines(lost, lines), ...listEdited(differences)]);
  const former = new Map([...pairs].map(([from, to]) => [to, from]));
  const all = [
    ...lines,
    ...differences.map(({ before, after }) => (before === undefined ? undefined : after)).filter(isLine),
  ];
  const found = [
    ...all.map((line) => findDanger(line, former.get(line))),
    ...[...pairs].map(([from, to]) => findMovedHost(from, to) ?? findOpenDefault(from, to) ?? findEdit(from, to)),
    ...(restrictions.length === 0 ? [] : lost.map((line) => findLost(line, pairs.get(line), { lines, restrictions }))),
  ];
  return found.reduce(chooseGraver, null);
}

function chooseGraver(gravest: LineFinding | null, found: LineFinding | null): LineFinding | null {
  if (found === null || gravest === null) return gravest ?? found;
  return compareLevels(found.level, gravest.level) > 0 ? found : gravest;
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Texts of a tree with a value on both sides. */
function listEdited(differences: readonly DocumentDifference[]): [string, string][] {
  return differences.flatMap(({ before, after }) => (isLine(before) && isLine(after) ? [[before, after]] : []));
}

/** A danger counts unless the line that it replaces had the same one, with the same addresses. */
function findDanger(line: string, former: string | undefined): LineFinding | null {
  const text = cutLine(line);
  const rule = ADDED.find((one) => matchesLine(one, text));
  if (rule === undefined) return null;
  if (former !== undefined && matchesLine(rule, cutLine(former)) && hasSameAddresses(former, line)) return null;
  return { level: rule.level, consequence: rule.consequence, line, removed: false };
}

function cutLine(line: string): string {
  return line.slice(0, MAX_LINE_CHARS).trim();
}

const ADDRESS = /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/"']{1,253}|\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?)/gi;

function hasSameAddresses(before: string, after: string): boolean {
  return (before.match(ADDRESS) ?? []).join() === (after.match(ADDRESS) ?? []).join();
}

function findMovedHost(before: string, after: string): LineFinding | null {
  const move = findHostMoveInLine(before.slice(0, MAX_LINE_CHARS), after.slice(0, MAX_LINE_CHARS));
  return move === null ? null : { ...move, line: after, removed: false };
}

function findEdit(before: string, after: string): LineFinding | null {
  const edit = judgeEditedLine(cutLine(before), cutLine(after));
  return edit === null ? null : { ...edit, line: after, removed: false };
}

function findOpenDefault(before: string, after: string): LineFinding | null {
  if (!opensDefault(before.slice(0, MAX_LINE_CHARS), after.slice(0, MAX_LINE_CHARS))) return null;
  return { level: 'high', consequence: 'By default, everybody sees the clear value', line: after, removed: false };
}

/**
 * A restriction is lost when the line that takes the place of its line has fewer words of its kind. Without such a line,
 * another new line with the same kind of restriction replaces it.
 */
function findLost(
  line: string,
  partner: string | undefined,
  { lines, restrictions }: { lines: readonly string[]; restrictions: readonly Restriction[] },
): LineFinding | null {
  if (isProse(line)) return null;
  const lost = restrictions.filter(({ pattern }) => {
    const count = countMatches(pattern, line);
    if (count === 0 || isSpread(pattern, line, lines)) return false;
    return partner === undefined
      ? !lines.some((other) => countMatches(pattern, other) > 0)
      : countMatches(pattern, partner) < count;
  });
  return lost.map((rule): LineFinding => ({ ...rule, line, removed: true })).reduce(chooseGraver, null);
}

/** Whether one long line became several, which together have as many words of a kind. */
function isSpread(pattern: RegExp, line: string, lines: readonly string[]): boolean {
  const whole = line.replace(/\s/g, '');
  const parts = lines.filter((other) => whole.includes(other.replace(/\s/g, '')));
  if (parts.length < 2) return false;
  const count = parts.reduce((sum, part) => sum + countMatches(pattern, part), 0);
  return count >= countMatches(pattern, line);
}

function countMatches(pattern: RegExp, line: string): number {
  return (line.slice(0, MAX_LINE_CHARS).match(pattern) ?? []).length;
}

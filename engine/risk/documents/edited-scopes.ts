/** Judges edited lines of scripts, schedules and policies by what they cover: folders, callers, days, failures. */
import { readRecurrence } from '../meaning/values/schedule-expression.ts';
import type { LineConsequence } from './script-rules.ts';

const CRON = /^((?:[\d*/,A-Za-z-]{1,40}\s{1,5}){4}[\d*/,A-Za-z-]{1,40})\s{1,5}\S/;
const DELETES = /(?:^|[\s;&|])(?:rm|find|purge|prune|unlink|shred|cleanup|clean)\b|-delete\b|--delete\b/;
const ALLOWS = /\b(?:allow|allowed|permit|accept|grant)\b/i;
const UNSET_GUARD = /\$\{\w{1,60}:\?/;
const PINNED_STEP = /@[0-9a-f]{40}\b/;
const RULE = /^(?:allow|permit|grant|accept)\w{0,20}\b[^{]{0,60}\{(.{1,500})\}\s{0,5}$/i;
const SERVER = /^server\s{1,5}\S{1,100}\s{1,5}\S/;

/** What follows from an edit of a line; null when nothing does. */
export function judgeEditedScope(before: string, after: string): LineConsequence | null {
  return (
    judgeCron(before, after) ??
    judgeFolder(before, after) ??
    judgeStar(before, after) ??
    judgeTests(before, after) ??
    judgeGuards(before, after)
  );
}

function judgeCron(before: string, after: string): LineConsequence | null {
  const [from, to] = [before, after].map((line) => readRecurrence(CRON.exec(line)?.[1]));
  if (!from || !to || to.runs_per_year > 0 || from.runs_per_year === 0) return null;
  return { level: 'high', consequence: 'The command never runs: no such date exists' };
}

/** A line that deletes names the folder around the one that it named. */
function judgeFolder(before: string, after: string): LineConsequence | null {
  if (!DELETES.test(before) || !DELETES.test(after)) return null;
  const pair = findOnlyPair(before, after);
  if (pair === null) return null;
  const [was, is] = pair.map((path) => path.replace(/["']/g, '').replace(/\/?\*?$/, ''));
  if (!was!.startsWith(`${is}/`) || is!.includes('$')) return null;
  return { level: 'high', consequence: 'A whole folder is deleted, not only one inside it' };
}

/** A line that allows something comes to allow any of it. */
function judgeStar(before: string, after: string): LineConsequence | null {
  if (!ALLOWS.test(before) || !ALLOWS.test(after)) return null;
  const [from, to] = [splitParts(before), splitParts(after)];
  if (from.length !== to.length) return null;
  const changed = from.flatMap((part, at) => (part === to[at] ? [] : [to[at]!]));
  if (changed.length === 0 || !changed.every((part) => /^["']?\*(?:\/\*)?["']?$/.test(part))) return null;
  return { level: 'high', consequence: 'Anything is allowed where one thing was' };
}

/** A rule that allows demands less: its tests are some of those that it had. */
function judgeTests(before: string, after: string): LineConsequence | null {
  const [was, is] = [RULE.exec(before)?.[1], RULE.exec(after)?.[1]];
  if (was === undefined || is === undefined) return null;
  const tests = new Set(splitTests(was));
  const left = splitTests(is);
  if (left.length >= tests.size || !left.every((test) => tests.has(test))) return null;
  return { level: 'high', consequence: 'A condition about who asks is gone, so more is allowed' };
}

function splitTests(body: string): string[] {
  return body
    .split(/;|&&/)
    .map((test) => test.trim())
    .filter((test) => test !== '');
}

function judgeGuards(before: string, after: string): LineConsequence | null {
  if (UNSET_GUARD.test(before) && !UNSET_GUARD.test(after) && DELETES.test(after))
    return { level: 'high', consequence: 'If the variable is empty, everything is deleted' };
  if (PINNED_STEP.test(before) && !PINNED_STEP.test(after) && /@[\w./-]{1,60}$/.test(after))
    return { level: 'medium', consequence: 'A step runs code that others can change at any time' };
  if (SERVER.test(before) && SERVER.test(after) && /\bdisabled\b/.test(after) && !/\bdisabled\b/.test(before))
    return { level: 'high', consequence: 'The server gets no requests any more' };
  return null;
}

/** The only part of a line that differs. */
function findOnlyPair(before: string, after: string): [string, string] | null {
  const [from, to] = [splitParts(before), splitParts(after)];
  if (from.length !== to.length) return null;
  const changed = from.flatMap((part, at): [string, string][] => (part === to[at] ? [] : [[part, to[at]!]]));
  return changed.length === 1 ? changed[0]! : null;
}

const MAX_PARTS = 200;

function splitParts(line: string): string[] {
  return line.split(/[\s,]{1,20}/, MAX_PARTS).filter((part) => part !== '');
}

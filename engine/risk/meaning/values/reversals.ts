/** Judges switches that reverse a condition, and whether all or any of its parts must hold. */

import { readSwitch } from '../switch.ts';
import { isLooseQuery } from './queries.ts';
import { findRole, type Role } from './roles.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const REVERSES = listWords('not negate negated negation negative invert inverted inverse reverse reversed');
const SHOULD_FAIL = ['should_fail', 'shouldfail', 'expect_failure', 'expect_fail', 'reverse_check', 'inverted_check'];
const COMBINES = listWords(
  'operator combinator combine logic logical conjunction match evaluation satisfy requirement',
);
const ALL = listWords('and all must every match_all matchall && each');
const ANY = listWords('or any should some match_any matchany || one anyof');

export function judgeReversal(argument: Argument): ValueFinding | null {
  return judgeSwitch(argument) ?? judgeCombination(argument) ?? judgeQuery(argument);
}

function judgeSwitch({ names, words, before, after }: Argument): ValueFinding | null {
  const is_probe = SHOULD_FAIL.includes((names.at(-1) ?? '').toLowerCase());
  if (!is_probe && !(hasAny(words, REVERSES) && words.size <= 4)) return null;
  const [was, is] = [readSwitch(before) ?? false, readSwitch(after) ?? false];
  if (was === is || (typeof before !== 'boolean' && typeof after !== 'boolean')) return null;
  return is_probe
    ? { ...FINDING, level: 'high', consequence: 'The check counts failures as success' }
    : { ...FINDING, level: 'high', consequence: 'The condition is reversed: it holds for the opposite' };
}

const FINDING = { rule: 'R-VAL-CONDITION', direction: 'weakening' } as const;

const LOOSER: Record<Role, ValueFinding> = {
  grants: { ...FINDING, level: 'high', consequence: 'One of the conditions is enough to get access' },
  'leaves-out': { ...FINDING, level: 'high', consequence: 'One of the conditions is enough to be left out' },
  watches: { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'One of the conditions is enough' },
};
const STRICTER: Record<Role, ValueFinding> = {
  grants: { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'All conditions must hold' },
  'leaves-out': { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'All conditions must hold' },
  watches: { ...FINDING, level: 'medium', consequence: 'All conditions must hold at once before it reacts' },
};

function judgeCombination(argument: Argument): ValueFinding | null {
  const { words, before, after } = argument;
  if (!hasAny(words, COMBINES) || typeof before !== 'string' || typeof after !== 'string') return null;
  const [from, to] = [before.toLowerCase(), after.toLowerCase()];
  const is_looser = ALL.has(from) && ANY.has(to);
  if (!is_looser && !(ANY.has(from) && ALL.has(to))) return null;
  const role = findRole(argument);
  return role === null ? null : (is_looser ? LOOSER : STRICTER)[role];
}

/** Queries of one term: a minus before them, or a star instead of a value. */
function judgeQuery(argument: Argument): ValueFinding | null {
  const { before, after } = argument;
  if (typeof before !== 'string' || typeof after !== 'string' || !isLooseQuery(argument.words)) return null;
  const [from, to] = [before.trim(), after.trim()];
  const role = findRole(argument);
  if (role === null || from === '' || to === '') return null;
  if (to === `-${from}` || from === `-${to}` || to === `NOT ${from}` || from === `NOT ${to}`)
    return { ...FINDING, level: 'high', consequence: 'The condition is reversed: it holds for the opposite' };
  if (role === 'watches' || !isWildcard(from, to)) return null;
  return { ...LOOSER[role], consequence: 'The condition holds for every value' };
}

/** `env:dev` becomes `env:*`, or only a star. */
function isWildcard(from: string, to: string): boolean {
  if (to === '*' || to === '.*') return true;
  const end = to.endsWith(':*') ? to.slice(0, -1) : null;
  return end !== null && from.startsWith(end) && from !== to;
}

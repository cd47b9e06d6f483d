/** Judges conditions as text by what they are for: who gets access, what is left out, what is watched. */

import type { BooleanCondition } from '../../../canonical/boolean-conditions.ts';
import {
  type Alternative,
  type Comparison,
  compareTrees,
  type Reach,
} from '../../../canonical/condition-alternatives.ts';
import { readCondition } from '../../../canonical/conditions.ts';
import { readLdapFilter } from '../../../canonical/ldap-filters.ts';
import { looksLikeJson } from '../../../lib/json-text.ts';
import type { RiskLevel } from '../../../model/result.ts';
import { isLooseQuery } from './queries.ts';
import { findRole, type Role } from './roles.ts';
import type { Argument, ValueFinding } from './types.ts';

export function judgeExpression(argument: Argument): ValueFinding | null {
  const { words, before, after } = argument;
  if (!isLooseQuery(words) || typeof before !== 'string' || typeof after !== 'string') return null;
  const role = findRole(argument);
  if (role === null) return null;
  const [from, to] = [read(before), read(after)];
  const change = from === null || to === null ? null : compareTrees(from, to);
  if (change === null || change.reach === 'same') return null;
  if (isReversed(change)) return report('high', 'weakening', 'The condition is reversed: it holds for the opposite');
  const level = LEVELS[role][change.reach];
  if (level === 'low') return report('low', 'strengthening', CONSEQUENCES[role][change.reach]);
  if (role === 'grants' && change.added.some(holdsForAll)) return report('high', 'weakening', EVERYBODY);
  if (role === 'leaves-out' && change.added.some(isUrgent) && !change.before.some(isUrgent))
    return report('high', 'weakening', 'What is urgent or in production is left out, too');
  const drops = change.reach === 'wider' && demandsLess(change);
  return report(drops && role !== 'watches' ? 'high' : level, 'weakening', CONSEQUENCES[role][change.reach]);
}

const LEVELS: Record<Role, Record<Reach, RiskLevel>> = {
  grants: { wider: 'medium', other: 'medium', narrower: 'low', same: 'low' },
  'leaves-out': { wider: 'medium', other: 'medium', narrower: 'low', same: 'low' },
  watches: { wider: 'low', other: 'medium', narrower: 'medium', same: 'low' },
};
const CONSEQUENCES: Record<Role, Record<Reach, string>> = {
  grants: {
    wider: 'The condition holds for more identities than before, so they get access',
    other: 'The condition holds for other identities than before',
    narrower: 'The condition holds for fewer identities',
    same: 'The condition is the same',
  },
  'leaves-out': {
    wider: 'More is left out than before',
    other: 'Something else is left out than before',
    narrower: 'Less is left out than before',
    same: 'The condition is the same',
  },
  watches: {
    wider: 'More is watched than before',
    other: 'Something else is watched than before',
    narrower: 'Less is watched than before',
    same: 'The condition is the same',
  },
};

function read(text: string): BooleanCondition | null {
  if (looksLikeJson(text)) return null;
  return readLdapFilter(text) ?? readCondition(text);
}

/** Words for what nobody wants to miss. */
const URGENT = /(?<![a-z])(?:critical|fatal|emergency|page|sev-?1|p1|production|prod)(?![a-z])/i;

function isUrgent(one: Alternative): boolean {
  return [...one].some((test) => !test.startsWith('not ') && !test.includes('!=') && URGENT.test(test));
}

const EVERYBODY = 'The condition holds for everybody who has any value, so all of them get access';
/** Tests that hold for every account: a property is there, or the account is active. */
const NOT_EMPTY =
  /(?:!=|<>|\bne\b|-ne)\s{0,3}(?:""|''|null|nil|\$null)?\s{0,3}$|^not .{1,200}(?:==?|\beq\b|-eq)\s{0,3}(?:""|''|null|nil)?\s{0,3}$|\bpr$|(?:accountenabled|active|enabled)\s{0,3}(?:==?|-eq|eq)\s{0,3}true$/i;

function holdsForAll(one: Alternative): boolean {
  return one.size > 0 && [...one].every((test) => NOT_EMPTY.test(test));
}

/** An alternative that was there demands more than one that is there now. */
function demandsLess({ added, before }: Comparison): boolean {
  return added.some((one) =>
    before.some((known) => known.size > one.size && [...one].every((test) => known.has(test))),
  );
}

/** A comparison is turned around: `a == b` becomes `a != b`. */
export function isReversed({ added, lost }: Comparison): boolean {
  const was = collectTests(lost);
  for (const test of collectTests(added)) if (was.has(negate(test)) && !was.has(test)) return true;
  return false;
}

function collectTests(alternatives: readonly Alternative[]): Set<string> {
  return new Set(alternatives.flatMap((tests) => [...tests].map(normalize)));
}

const NOT_EQUAL = / (?:!=|ne|<>) /;

function normalize(test: string): string {
  return NOT_EQUAL.test(test)
    ? `not ${test.replace(NOT_EQUAL, ' eq ')}`
    : test.replace(' == ', ' eq ').replace(' = ', ' eq ');
}

function negate(test: string): string {
  return test.startsWith('not ') ? test.slice('not '.length) : `not ${test}`;
}

function report(level: RiskLevel, direction: ValueFinding['direction'], consequence: string): ValueFinding {
  return { rule: 'R-VAL-CONDITION', level, direction, consequence };
}

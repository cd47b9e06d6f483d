import type { MaybeJson } from '../../../changes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const ROLE = listWords('role permission access privilege');
/** Numbers and ids of roles, and roles of machines. */
const OTHER = listWords('id arn boundary token key log tier time type mode');
const RANKS = [
  listWords('none no guest viewer view read reader readonly read-only read_only pull minimal observer auditor billing'),
  listWords(
    'member user developer editor edit write writer contributor push triage standard readwrite read-write read_write operator',
  ),
  listWords(
    'admin administrator owner superuser root full full_access maintainer maintain manager superadmin super_admin *',
  ),
];

/** Judges roles by their usual names, for types that no rule knows. */
export function judgeRole({ words, before, after, effect }: Argument): ValueFinding | null {
  if (!effect.inferred || !hasAny(words, ROLE) || hasAny(words, OTHER)) return null;
  const [from, to] = [findRank(before), findRank(after)];
  if (from < 0 || to < 0 || from === to) return null;
  if (to < from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return { ...FINDING, level: to === RANKS.length - 1 ? 'high' : 'medium', direction: 'weakening' };
}

const FINDING = { rule: 'R-VAL-ROLE', consequence: 'The role allows more than before' } as const;

function findRank(value: MaybeJson): number {
  return typeof value === 'string' ? RANKS.findIndex((names) => names.has(value.toLowerCase())) : -1;
}

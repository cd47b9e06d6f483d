import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const MODE = listWords(
  'mode action enforcement enforce behavior decision effect response failure fail verdict disposition outcome default status level',
);
const OWN = listWords('enforcement enforce prevention protection');
const GUARDS = listWords(
  'policy guardrail firewall waf gate check inspection validation enforcement dlp ips ids detection protection scan ' +
    'scanner admission constraint filter moderation fraud abuse bot ddos shield guard compliance control antivirus malware',
);
/** Words of values: nothing happens, somebody is notified, it is refused. */
const RANKS = [
  listWords('allow allowed permit accept pass off none disabled disable bypass skip ignore open disallowed inactive'),
  listWords(
    'monitor monitoring audit auditing log logging detect detection warn warning warnonly count alert notify dryrun dry ' +
      'permissive report simulate simulation shadow learning passive advisory evaluate observe tag track',
  ),
  listWords(
    'enforce enforced enforcing block blocked blocking deny denied prevent prevention reject drop strict mandatory quarantine ' +
      'trip interrupt isolate shed lockout halt',
  ),
];

const REFUSED = RANKS.length - 1;

/** Judges how a protection answers: refuse, only tell, or let pass, in any spelling. */
export function judgeMode({ words, type, outer, before, after }: Argument): ValueFinding | null {
  const is_own = hasAny(words, OWN);
  if (!is_own && (!hasAny(words, MODE) || ![type, outer, words].some((names) => hasAny(names, GUARDS)))) return null;
  const to = readRank(after);
  const from = readRank(before) ?? (isOnlyReported(after) && isWord(before) ? REFUSED : null);
  if (from === null || to === null || from === to) return null;
  if (to > from) return { ...FINDING, level: 'low', direction: 'strengthening' };
  const refused = from === REFUSED;
  return { ...FINDING, level: refused ? 'high' : 'medium', direction: 'weakening' };
}

const FINDING = {
  rule: 'R-VAL-MODE',
  consequence: 'What was refused or reported before is let through, or only reported',
} as const;

/** `report_only` says that something else was done before. */
function isOnlyReported(value: MaybeJson): boolean {
  return readRank(value) === 1 && splitWords(String(value)).includes('only');
}

function isWord(value: MaybeJson): boolean {
  return typeof value === 'string' && /^[A-Za-z][\w-]{1,40}$/.test(value);
}

/** The rank of a value by its words; null if none of them has one, or several have different ones. */
function readRank(value: MaybeJson): number | null {
  if (typeof value !== 'string' || value.length > 60) return null;
  const ranks = new Set(
    splitWords(value).flatMap((word) => {
      const rank = RANKS.findIndex((names) => names.has(word));
      return rank < 0 ? [] : [rank];
    }),
  );
  return ranks.size === 1 ? [...ranks][0]! : null;
}

/** Judges lists of rights and algorithms by what they gain. */
import type { MaybeJson } from '../../../changes/values.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const RIGHTS = listWords('scope permission privilege verb grant right capability entitlement operation');
/** Types and blocks in which such a list says what somebody may do. */
const HOLDERS = listWords(
  'grant role token key client user account member binding partner permission policy acl access credential app application ' +
    'integration service principal group share',
);
/** Lists of what is refused or checked. */
const REFUSES = listWords('deny denied forbid forbidden block blocked require required exclude except revoke');
const GREAT =
  /^(?:.{0,60}[:./_-])?(?:\*|all|admin|administrator|owner|root|superuser|sudo|full|full_access|manage|impersonate)$/i;
const READS = /^(?:.{0,60}[:./_-])?(?:read|list|view|get|describe|readonly|read_only|viewer)(?:[:./_-].{0,60})?$/i;
const ALGORITHMS = listWords('algorithm alg');
const UNSIGNED = /^(?:none|null|plain|unsigned)$/i;
const SHARED = /^hs\d{3}$/i;
const MAX_ITEMS = 200;

export function judgeRights(argument: Argument): ValueFinding | null {
  return judgeAlgorithms(argument) ?? judgeObserved(argument) ?? judgeList(argument);
}

/** Objects of a cluster that show how it runs, and nothing else. */
const OBSERVED =
  /^(?:events|nodes\/(?:metrics|stats)|metrics|pods\/metrics|endpoints|endpointslices|leases|componentstatuses|nodes\/healthz|horizontalpodautoscalers|poddisruptionbudgets)$/;
const READING = new Set(['get', 'list', 'watch']);

/** Judges the objects of a cluster that a role may read. */
function judgeObserved({ words, type, before, after, parent }: Argument): ValueFinding | null {
  if (!words.has('resource') || !type.has('role') || !type.has('cluster')) return null;
  const [was, is] = [readItems(before), readItems(after)];
  const verbs = readItems(member(parent, 'verbs'));
  if (was === null || is === null || verbs === null || ![...verbs].every((verb) => READING.has(verb))) return null;
  const gained = [...is].filter((item) => !was.has(item));
  if (gained.length === 0 || !gained.every((item) => OBSERVED.test(item))) return null;
  return {
    ...FINDING,
    level: 'low',
    direction: 'neutral',
    consequence: 'More signs of how the cluster runs can be read',
  };
}

function judgeList({ words, outer, type, before, after, traits }: Argument): ValueFinding | null {
  if (!hasAny(words, RIGHTS) || hasAny(words, REFUSES) || hasAny(outer, REFUSES)) return null;
  if (!hasAny(type, HOLDERS) && !hasAny(outer, HOLDERS) && !traits.categories.includes('iam')) return null;
  const [was, is] = [readItems(before), readItems(after)];
  if (was === null || is === null || was.size === 0) return null;
  const gained = [...is].filter((item) => !was.has(item));
  if (gained.length === 0)
    return was.size > is.size ? { ...FINDING, level: 'low', direction: 'strengthening', consequence: FEWER } : null;
  if (gained.some((item) => GREAT.test(item)))
    return { ...FINDING, level: 'high', consequence: 'Every right of this kind is granted' };
  const level = gained.every((item) => READS.test(item) && [...was].some((known) => READS.test(known)))
    ? 'low'
    : 'medium';
  return {
    ...FINDING,
    level: namesData(gained) ? 'medium' : level,
    consequence: 'More rights are granted than before',
  };
}

const FINDING = { rule: 'R-VAL-RIGHTS', direction: 'weakening' } as const;
const FEWER = 'Fewer rights are granted';
const DATA =
  /customer|payment|person|pii|secret|credential|password|token|patient|employee|salary|payroll|card|order|invoice/i;

function namesData(items: readonly string[]): boolean {
  return items.some((item) => DATA.test(item));
}

function judgeAlgorithms({ words, before, after, purpose, outer, type }: Argument): ValueFinding | null {
  if (!hasAny(words, ALGORITHMS)) return null;
  const [was, is] = [readItems(before), readItems(after)];
  if (was === null || is === null) return null;
  const gained = [...is].filter((item) => !was.has(item));
  const about_tokens =
    purpose === 'security' ||
    [outer, type, words].some((names) => hasAny(names, TOKENS)) ||
    [...was].some((item) => /^[rpeh]s\d{3}$/i.test(item));
  if (about_tokens && gained.some((item) => UNSIGNED.test(item)))
    return {
      ...FINDING,
      level: 'critical',
      consequence: 'Tokens without a signature are accepted, so anyone can pretend to be anyone',
    };
  if (gained.some((item) => SHARED.test(item)) && ![...was].some((item) => SHARED.test(item)))
    return { ...FINDING, level: 'medium', consequence: 'Whoever knows the shared key can sign tokens' };
  return null;
}

const TOKENS = listWords('jwt token auth authentication oidc signing signature issuer jws');

function readItems(value: MaybeJson): Set<string> | null {
  const items = list(value).flatMap((item) =>
    typeof item === 'string' ? item.split(/[\s,]+/, MAX_ITEMS) : [text(item)],
  );
  return items.length > MAX_ITEMS ? null : new Set(items.filter((item) => item !== ''));
}

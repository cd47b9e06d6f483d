import { isNegation } from '../../../effects/lexicon.ts';
import { readSwitch } from '../switch.ts';
import { isUnset, readNumber } from './numbers.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const APPROVAL = listWords(
  'approval approver approve approving review reviewer reviewing signoff quorum consent signer signatory cosigner',
);
/** Times, and amounts from which on somebody must approve. */
const OTHER = listWords(
  'above over amount threshold timeout day hour minute second duration window expiration ttl period',
);
const SIGNERS = listWords('signer signatory signature cosigner');
/** Names of amounts: a signature has a version and a length as well. */
const AMOUNTS = listWords('required min minimum count number threshold needed');
const SELF = listWords('author self committer creator requester submitter pusher own initiator');
/** Words that turn the meaning around beyond the usual ones. */
const TURNING = listWords('prevent require exclude block forbid disallow');

/** Judges how many people must approve, and whether those may who made the change. */
export function judgeApproval(argument: Argument): ValueFinding | null {
  const { words, before, after } = argument;
  const counts_signers = hasAny(words, SIGNERS) && hasAny(words, AMOUNTS);
  if (
    !(hasAny(words, APPROVAL) || counts_signers) ||
    (hasAny(words, OTHER) && !(words.has('threshold') && hasAny(words, SIGNERS)))
  )
    return null;
  if (typeof after === 'boolean' || typeof before === 'boolean') return judgeSelfApproval(argument);
  const [from, to] = [readNumber(before), isUnset(after) ? 0 : readNumber(after)];
  if (from === null || to === null || from === to) return null;
  if (to > from)
    return { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'More people must approve' };
  if (to === 0) return { ...FINDING, level: 'high', consequence: 'No approval is required any more' };
  if (to === 1 && from >= 3 && !words.has('quorum'))
    return { ...FINDING, level: 'high', consequence: 'One person alone can approve', beyond_rules: true };
  return { ...FINDING, level: 'medium', consequence: 'Fewer people must approve' };
}

const FINDING = { rule: 'R-VAL-APPROVAL', direction: 'weakening' } as const;

function judgeSelfApproval({ words, before, after }: Argument): ValueFinding | null {
  if (!hasAny(words, SELF)) return null;
  const negations = [...words].filter((word) => isNegation(word) || TURNING.has(word)).length;
  const allows = (value: Argument['after']) => (readSwitch(value) ?? false) !== (negations % 2 === 1);
  if (allows(before) === allows(after)) return null;
  return allows(after)
    ? { ...FINDING, level: 'medium', consequence: 'People may approve their own changes' }
    : { ...FINDING, level: 'low', direction: 'strengthening', consequence: 'People may not approve their own changes' };
}

/** What a condition is for: who gets access, what is left out, what is watched. */
import type { MaybeJson } from '../../../changes/values.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument } from './types.ts';
import { hasAny, listWords } from './words.ts';

export type Role = 'leaves-out' | 'grants' | 'watches';

const LEAVES_OUT = listWords(
  'exclusion exclude excluded drop mute muted muting suppress suppression silence ignore ignored downtime discard inhibit ' +
    'bypass skip exempt exemption exception',
);
const GRANTS = listWords(
  'group role grant binding permission access member membership federation federated trust claim ldap login signon ' +
    'authorization entitlement assignment admin',
);
/** Parts of a configuration that say who gets in. */
const LOGINS = listWords(
  'ldap auth authentication authorization oidc oauth2 saml sso login signon federation federated trust',
);
/** Policies of no other purpose say who may do what. */
const POLICY = listWords('policy guard gatekeeper');
const WATCHES = listWords(
  'alert alarm monitor sink subscription metric trigger notification export detector detection detective rule forwarder ' +
    'trail audit',
);
const DROPS = /^(?:drop|discard|exclude|mute|suppress|silence|ignore|reject_event|blackhole|null)\b/i;
const ACTIONS = ['action', 'type', 'kind', 'op', 'operation', 'do', 'then', 'processor'];

export function findRole({ words, outer, type, traits, holders }: Argument): Role | null {
  for (const names of [words, outer, type]) if (hasAny(names, LEAVES_OUT)) return 'leaves-out';
  if (holders.some(isDropped)) return 'leaves-out';
  if (hasAny(type, GRANTS) || hasAny(outer, LOGINS) || hasAny(words, LOGINS) || traits.categories.includes('iam'))
    return 'grants';
  if (hasAny(type, WATCHES) || hasAny(outer, WATCHES)) return 'watches';
  return hasAny(type, POLICY) ? 'grants' : null;
}

const SWITCHES = ['suppress', 'drop', 'discard', 'mute', 'exclude'];
const TARGETS = ['receiver', 'contact_point', 'destination', 'output', 'sink', 'target'];
const NOWHERE = /^(?:null|blackhole|black_hole|dev-?null|\/dev\/null|noop|void|trash|none)$/i;

/** Whether a step or rule throws away what its condition matches. */
function isDropped(holder: MaybeJson): boolean {
  if (ACTIONS.some((name) => DROPS.test(text(member(holder, name))))) return true;
  if (TARGETS.some((name) => NOWHERE.test(text(member(holder, name))))) return true;
  const parts = [holder, ...ACTION_BLOCKS.flatMap((name) => list(member(holder, name)))];
  return parts.some((part) => SWITCHES.some((name) => member(part, name) === true));
}

const ACTION_BLOCKS = ['actions', 'action'];

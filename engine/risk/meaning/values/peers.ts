/** Judges lists of hosts that may be reached or let in: any host at all, further ones, or fewer. */
import type { MaybeJson } from '../../../changes/values.ts';
import { splitWords } from '../../../effects/words.ts';
import { list, member, text } from '../../attributes/values.ts';
import type { Argument, ValueFinding } from './types.ts';
import { hasAny, listWords } from './words.ts';

const PEERS = listWords('host hostname domain fqdn url uri destination endpoint site server target origin peer');
const LETS = listWords(
  'allow allowed allowlist whitelist permit permitted egress outbound trusted authorized approved acceptable',
);
/** Lists of what is refused, of who may show or embed a page, and of addresses of our own. */
const OTHER = new Set(
  splitWords(
    'deny denied block blocked blocklist denylist forbid forbidden exclude excluded except ignore bypass cors redirect ' +
      'callback logout login frame referer referrer websocket alias aliases group rule route',
  ),
);
const ACTIONS = ['action', 'effect', 'policy', 'decision', 'verdict', 'access', 'list_type', 'mode', 'type'];
const REFUSES = /^(?:deny|denied|block|blocked|reject|drop|forbid|blacklist|denylist|blocklist)$/i;
const ANY_HOST =
  /^(?:[a-z*]{1,10}:\/\/)?(?:\*|\*\.\*|\.\*|\*\.[a-z]{2,6}|any|all|everything|0\.0\.0\.0\/0|::\/0)(?::(?:\d{1,5}|\*))?(?:\/\*{0,2})?$/i;
const MAX_HOSTS = 500;

export function judgePeers(argument: Argument): ValueFinding | null {
  const { words, outer, type, before, after, parent } = argument;
  if (!isPeerList(words, outer, type) || refuses(parent)) return null;
  const [was, is] = [readHosts(before), readHosts(after)];
  if (was === null || is === null || was.length === 0) return null;
  if (is.length === 0) return was.some(isAnyHost) ? null : EMPTIED;
  const [was_open, is_open] = [was.some(isAnyHost), is.some(isAnyHost)];
  if (is_open !== was_open) return is_open ? OPENS : { ...FINDING, level: 'low', direction: 'strengthening' };
  if (is_open) return null;
  const known = new Set(was);
  const gained = is.filter((host) => !known.has(host));
  if (gained.length === 0) return { ...FINDING, level: 'low', direction: 'strengthening' };
  return { ...FINDING, level: gained.some((host) => host.includes('*')) ? 'medium' : 'low', direction: 'weakening' };
}

const FINDING = { rule: 'R-VAL-PEERS', consequence: 'Further hosts are allowed' } as const;
const OPENS: ValueFinding = {
  rule: 'R-VAL-PEERS',
  level: 'high',
  direction: 'weakening',
  consequence: 'Any host is allowed, so data can go to, or requests come from, anywhere',
  beyond_rules: true,
};

/** Many services read an empty list as no restriction, and some as no access. */
const EMPTIED: ValueFinding = {
  rule: 'R-VAL-PEERS',
  level: 'medium',
  direction: 'weakening',
  consequence: 'The list of allowed hosts is empty, which often means that every host is allowed',
};

/** Whether names say that a list is about which hosts are allowed. */
export function isPeerList(words: ReadonlySet<string>, outer: ReadonlySet<string>, type: ReadonlySet<string>): boolean {
  if (!hasAny(words, PEERS) || hasAny(words, OTHER) || hasAny(outer, OTHER)) return false;
  return [words, outer, type].some((names) => hasAny(names, LETS));
}

function refuses(holder: MaybeJson): boolean {
  return ACTIONS.some((name) => REFUSES.test(text(member(holder, name))));
}

/** Whether an entry of such a list lets every host through. */
export function isAnyHost(host: string): boolean {
  return ANY_HOST.test(host);
}

/** null if the value is not a list of texts, or too long. */
function readHosts(value: MaybeJson): string[] | null {
  const items = list(value);
  if (items.length > MAX_HOSTS || !items.every((item) => typeof item === 'string')) return null;
  return items.map((item) => text(item).slice(0, MAX_HOSTS)).filter((host) => host !== '');
}

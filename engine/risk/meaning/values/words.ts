import type { MaybeJson } from '../../../changes/values.ts';
import { singularize, splitWords } from '../../../effects/words.ts';
import { isObject } from '../../../lib/is-object.ts';
import { memoizeText } from '../../../lib/memoize.ts';
import { member } from '../../attributes/values.ts';
import type { Traits } from '../../traits.ts';
import type { Purpose } from './types.ts';

/** A set of words, from a list in one text. Words of names have no plural s, so it contains these forms too. */
export const listWords: (text: string) => ReadonlySet<string> = memoizeText((text) => {
  const words = text.split(' ');
  return new Set([...words, ...words.map(singularize)]);
});

export function hasAny(words: ReadonlySet<string>, expected: ReadonlySet<string>): boolean {
  for (const word of words) if (expected.has(word)) return true;
  return false;
}

const BACKUP = listWords('backup snapshot dump restore recovery dlm velero pitr replica replication archive');
const ALARM = listWords(
  'alarm alert monitor monitoring notification oncall pager incident heartbeat watchdog detector',
);
const SECURITY = listWords(
  'security guardduty fraud audit waf firewall auth mfa siem soc threat compliance sanction vulnerability secret iam',
);
/** Runs that money, people or deadlines depend on. */
const BUSINESS = listWords(
  'settlement settle payment payout billing invoice invoicing payroll dunning ledger reconcile reconciliation refund ' +
    'chargeback clearing premium claim dispatch statement rotation rotate rotator renewal renew expiry',
);
const NAMES = ['name', 'key', 'title', 'identifier', 'description', 'function_name', 'display_name'];
const MAX_NAME_CHARS = 200;

/** What an object is for, by its type and then by its names. */
export function findPurpose(type: ReadonlySet<string>, traits: Traits, ...sides: MaybeJson[]): Purpose {
  const by_type = findInWords(type);
  if (by_type !== 'other') return by_type;
  if (traits.categories.includes('security')) return 'security';
  const names = new Set<string>();
  for (const side of sides) for (const word of collectNames(side)) names.add(word);
  return findInWords(names);
}

function findInWords(words: ReadonlySet<string>): Purpose {
  if (hasAny(words, BACKUP)) return 'backup';
  if (hasAny(words, ALARM)) return 'alarm';
  if (hasAny(words, SECURITY)) return 'security';
  return hasAny(words, BUSINESS) ? 'business' : 'other';
}

function collectNames(side: MaybeJson): readonly string[] {
  const metadata = member(side, 'metadata');
  const holder = Array.isArray(metadata) ? metadata[0] : metadata;
  return [side, holder].flatMap((object) =>
    isObject(object) ? NAMES.flatMap((name) => readName(member(object, name))) : [],
  );
}

function readName(value: MaybeJson): readonly string[] {
  return typeof value === 'string' ? splitWords(value.slice(0, MAX_NAME_CHARS)) : [];
}

/** Tests of old and new values. Rows of data refer to them by name. */

import { align } from '../../changes/align.ts';
import { CidrSet, parseCidr } from '../../lib/cidr.ts';
import { isObject } from '../../lib/is-object.ts';
import type { Value } from './types.ts';
import { isEmpty, list, quantity, same, strings, text, truth } from './values.ts';
import { tlsVersion, versionParts } from './versions.ts';

export type Verdict = 'weakening' | 'strengthening' | 'neutral' | undefined;
/** On create, a dangerous value is set explicitly (`set`), or it is the provider's default (`default`). */
type CreateVerdict = 'set' | 'default' | undefined;

export interface Predicate {
  onChange(before: Value, after: Value, values: readonly unknown[]): Verdict;
  onCreate?(after: Value, values: readonly unknown[]): CreateVerdict;
}

const NEVER: Predicate['onCreate'] = () => undefined;

/** A boolean setting: `safe` is the safe value; `absent_is_safe` is whether the provider's default is safe. */
function toggle(safe: boolean, absent_is_safe: boolean): Predicate {
  const isDangerous = (value: Value): boolean => (absent_is_safe ? truth(value) === !safe : truth(value) !== safe);
  return {
    onChange: (before, after) => compare(isDangerous(before), isDangerous(after)),
    onCreate: (after) => {
      if (!isDangerous(after)) return undefined;
      return absent_is_safe ? 'set' : 'default';
    },
  };
}

function compare(before: boolean, after: boolean): Verdict {
  if (before === after) return undefined;
  return after ? 'weakening' : 'strengthening';
}

function ordered(before: number | undefined, after: number | undefined): Verdict {
  if (before === undefined || after === undefined || before === after) return undefined;
  return after < before ? 'weakening' : 'strengthening';
}

function reverse(verdict: Verdict): Verdict {
  if (verdict === 'weakening') return 'strengthening';
  return verdict === 'strengthening' ? 'weakening' : verdict;
}

/** Returns the group of a value in a list from safe to dangerous; `*` matches any other value, null an absent one. */
function findRank(value: Value, groups: readonly unknown[]): { rank: number; absent: boolean } | undefined {
  const name = isEmpty(value) ? null : text(value).toLowerCase();
  let other = -1;
  for (const [rank, group] of (groups as (string | null)[][]).entries()) {
    for (const known of group) {
      if (known === name || (known !== null && name !== null && known.toLowerCase() === name))
        return { rank, absent: group.includes(null) };
      if (known === '*' && name !== null) other = rank;
    }
  }
  return other < 0 ? undefined : { rank: other, absent: (groups[other] as unknown[]).includes(null) };
}

const RANK: Predicate = {
  onChange: (before, after, groups) => {
    const from = findRank(before, groups);
    const to = findRank(after, groups);
    return from && to ? reverse(ordered(from.rank, to.rank)) : undefined;
  },
  onCreate: (after, groups) => {
    const to = findRank(after, groups);
    if (!to || to.rank === 0) return undefined;
    return to.absent ? 'default' : 'set';
  },
};

/** Returns the entries of a list as strings; blocks as JSON. */
function toEntries(value: Value): Set<string> {
  return new Set(list(value).map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))));
}

function loses(before: Value, after: Value): boolean {
  const [from, to] = [list(before), list(after)];
  if (from.some(isObject)) return align(from, to).some(([left, right]) => left >= 0 && right < 0);
  const kept = toEntries(after);
  const wider = createContainmentTest(to);
  return [...toEntries(before)].some((entry) => !kept.has(entry) && !wider(entry));
}

/** Returns a test for address ranges that a wider range contains, which are not lost. */
function createContainmentTest(others: readonly Value[]): (entry: string) => boolean {
  const blocks = new CidrSet();
  for (const other of others) {
    const block = parseCidr(text(other));
    if (block !== undefined) blocks.add(block);
  }
  return (entry) => {
    const inner = entry.includes('/') ? parseCidr(entry) : undefined;
    return inner !== undefined && blocks.findContaining(inner).length > 0;
  };
}

/** Returns the encryption key that a value names: its text, or the members of a block that contain keys. */
function readKey(value: Value): string {
  const block = Array.isArray(value) ? value[0] : value;
  if (!isObject(block)) return text(block);
  return Object.keys(block)
    .filter((name) => name.includes('key'))
    .map((name) => text(block[name]))
    .join(' ')
    .trim();
}

function includes(value: Value, expected: readonly unknown[]): boolean {
  return strings(value).some((item) => expected.includes(item));
}

function step(before: Value, after: Value, depth: number): Verdict {
  const from = versionParts(text(before));
  const to = versionParts(text(after));
  if (!from || !to) return undefined;
  const major = from.family === to.family ? ordered(from.parts[0], to.parts[0]) : undefined;
  for (let i = 0; i < Math.min(from.parts.length, to.parts.length); i++) {
    if (to.parts[i]! < from.parts[i]!) return 'weakening';
    if (to.parts[i]! > from.parts[i]!) return i < depth ? 'neutral' : undefined;
  }
  return from.family === to.family ? major : 'neutral';
}

export const PREDICATES = {
  off: toggle(true, true),
  off_or_absent: toggle(true, false),
  on: toggle(false, true),
  on_or_absent: toggle(false, false),
  rank: RANK,
  lower: { onChange: (before, after) => ordered(quantity(before), quantity(after)), onCreate: NEVER },
  higher: { onChange: (before, after) => reverse(ordered(quantity(before), quantity(after))), onCreate: NEVER },
  zero: { onChange: (before, after) => compare(quantity(before) === 0, quantity(after) === 0), onCreate: NEVER },
  absent: { onChange: (before, after) => compare(isEmpty(before), isEmpty(after)), onCreate: NEVER },
  present: {
    onChange: (before, after) => compare(!isEmpty(before), !isEmpty(after)),
    onCreate: (after) => (isEmpty(after) ? undefined : 'set'),
  },
  emptied: {
    onChange: (before, after) => (isEmpty(after) ? compare(isEmpty(before), true) : undefined),
    onCreate: NEVER,
  },
  entry_removed: {
    onChange: (before, after) =>
      loses(before, after) ? 'weakening' : loses(after, before) ? 'strengthening' : undefined,
    onCreate: NEVER,
  },
  entry_added: {
    onChange: (before, after) =>
      loses(after, before) ? 'weakening' : loses(before, after) ? 'strengthening' : undefined,
    onCreate: NEVER,
  },
  includes: {
    onChange: (before, after, values) => compare(includes(before, values), includes(after, values)),
    onCreate: (after, values) => (includes(after, values) ? 'set' : undefined),
  },
  key_changed: {
    onChange: (before, after) => {
      const [from, to] = [readKey(before), readKey(after)];
      if (from === to) return undefined;
      return from === '' ? 'strengthening' : 'weakening';
    },
    onCreate: NEVER,
  },
  tls: {
    onChange: (before, after) => ordered(tlsVersion(text(before)), tlsVersion(text(after))),
    onCreate: (after) => ((tlsVersion(text(after)) ?? 12) < 12 ? 'set' : undefined),
  },
  major: { onChange: (before, after) => step(before, after, 1), onCreate: NEVER },
  upgrade: { onChange: (before, after) => step(before, after, 2), onCreate: NEVER },
  changed: {
    onChange: (before, after) => (same(before, after) || (isEmpty(before) && isEmpty(after)) ? undefined : 'weakening'),
    onCreate: NEVER,
  },
  created: { onChange: () => undefined, onCreate: () => 'set' },
} satisfies Record<string, Predicate>;

export type PredicateCode = keyof typeof PREDICATES;

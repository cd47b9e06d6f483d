/** The limits of a lifecycle rule other than name prefixes. Content must meet all of them. */
import { isObject } from '../../../lib/is-object.ts';
import type { Value } from '../types.ts';
import { at, isEmpty, list, member, quantity, same, strings, text } from '../values.ts';

/** One limit: an exact value, a minimum or maximum number or date, or one of several values. */
export interface Limit {
  name: string;
  is: 'equal' | 'least' | 'most' | 'one_of';
  value: Value;
}

/** Returns true when content that meets `inner` also meets `outer`. */
export function isWithin(inner: readonly Limit[], outer: readonly Limit[]): boolean {
  return outer.every((wide) => inner.some((limit) => limit.name === wide.name && implies(limit, wide)));
}

function implies(limit: Limit, wide: Limit): boolean {
  if (wide.is === 'one_of') {
    const allowed = strings(wide.value);
    return strings(limit.value).every((value) => allowed.some((end) => endsAs(wide.name, value, end)));
  }
  if (wide.is === 'equal') return same(limit.value, wide.value);
  const [value, bound] = [comparable(limit.value), comparable(wide.value)];
  return wide.is === 'least' ? value >= bound : value <= bound;
}

function endsAs(name: string, value: string, end: string): boolean {
  return name === 'matches_suffix' ? value.endsWith(end) : value === end;
}

/** Dates are in a format that sorts as text. */
function comparable(value: Value): number | string {
  return quantity(value) ?? text(value);
}

/** Returns the name prefixes of a rule; the empty prefix when it has none. */
export function readPrefixes(value: Value): string[] {
  const prefixes = strings(value);
  return prefixes.length === 0 ? [''] : prefixes;
}

export function limitsOfAws(rule: Value, block: string): Limit[] {
  const filter = list(member(rule, 'filter'))[0];
  const both = list(member(filter, 'and'))[0];
  const tags = [member(rule, 'tags'), member(both, 'tags')].flatMap((map) =>
    isObject(map) ? Object.entries(map) : [],
  );
  for (const tag of list(member(filter, 'tag'))) tags.push([text(member(tag, 'key')), member(tag, 'value') ?? null]);
  return [
    ...tags.map(([key, value]): Limit => ({ name: `tag ${key}`, is: 'equal', value })),
    ...[filter, both].flatMap((side) => [
      ...bound(side, 'object_size_greater_than', 'least'),
      ...bound(side, 'object_size_less_than', 'most'),
    ]),
    ...bound(list(member(rule, block))[0], 'newer_noncurrent_versions', 'least'),
  ];
}

const GOOGLE_BOUNDS = [
  ['num_newer_versions', 'least'],
  ['days_since_custom_time', 'least'],
  ['days_since_noncurrent_time', 'least'],
  ['created_before', 'most'],
  ['custom_time_before', 'most'],
  ['noncurrent_time_before', 'most'],
] as const;

export function limitsOfGoogle(condition: Value): Limit[] {
  const state = text(member(condition, 'with_state'));
  return [
    ...GOOGLE_BOUNDS.flatMap(([name, is]) => bound(condition, name, is)),
    ...['matches_suffix', 'matches_storage_class'].flatMap((name) => choice(condition, name)),
    ...(state === '' || state === 'ANY' ? [] : [{ name: 'with_state', is: 'equal', value: state } satisfies Limit]),
  ];
}

export function limitsOfAzure(rule: Value): Limit[] {
  const filters = list(member(rule, 'filters'))[0];
  return [
    ...choice(filters, 'blob_types'),
    ...list(member(filters, 'match_blob_index_tag')).map((tag): Limit => {
      const value = [text(member(tag, 'operation')) || '==', text(member(tag, 'value'))];
      return { name: `tag ${text(member(tag, 'name'))}`, is: 'equal', value };
    }),
  ];
}

function bound(side: Value, name: string, is: 'least' | 'most'): Limit[] {
  const value = at(side, name);
  return isEmpty(value) || quantity(value) === 0 ? [] : [{ name, is, value }];
}

function choice(side: Value, name: string): Limit[] {
  const values = strings(member(side, name));
  return values.length === 0 ? [] : [{ name, is: 'one_of', value: values.sort() }];
}

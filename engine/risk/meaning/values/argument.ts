import type { MaybeJson } from '../../../changes/values.ts';
import { type Effect, findEffect, inferEffect, leadsIntoMap } from '../../../effects/index.ts';
import { splitWords } from '../../../effects/words.ts';
import { memoizeText } from '../../../lib/memoize.ts';
import { member } from '../../attributes/values.ts';
import type { Traits } from '../../traits.ts';
import type { Argument, Purpose } from './types.ts';
import { findPurpose, hasAny, listWords } from './words.ts';

/** The resource in which an argument changes. */
export interface Holder {
  type: string;
  traits: Traits;
  before: MaybeJson;
  after: MaybeJson;
}

interface ChangedValue {
  path: readonly (string | number)[];
  before: MaybeJson;
  after: MaybeJson;
}

/** Arguments of pairs that hold a name, such as parameters, flags and settings. */
const PAIR_VALUES = new Set(['value', 'default_value', 'parameter_value']);
const PAIR_NAMES = ['name', 'key', 'parameter_name', 'option_name', 'setting'];
const MAX_NAME_CHARS = 100;
/** Types that are one pair of name and value as a whole. */
const PAIR_TYPE = listWords('configuration parameter setting variable option flag');

/** Reads changed values of one resource with the words around them. Of a pair of name and value, the name counts. */
export function createArgumentReader({ type, traits, before, after }: Holder): (changed: ChangedValue) => Argument {
  const type_words = new Set(splitWords(type.slice(type.indexOf('_') + 1)));
  const is_pair = hasAny(type_words, PAIR_TYPE);
  const readOuter = createOuterReader();
  let purpose: Purpose | undefined;

  return (changed) => {
    const above = changed.path.slice(0, -1);
    const holders = listHolders(after, above);
    const parent = holders[0];
    const names = readNames(changed.path, above.length > 0 || is_pair ? parent : undefined);
    purpose ??= findPurpose(new Set(splitWords(type)), traits, before, after);
    return {
      names,
      words: toWordSet(names.at(-1) ?? ''),
      outer: readOuter(names),
      type: type_words,
      before: changed.before,
      after: changed.after,
      effect: findArgumentEffect(type, changed, names),
      is_free: !changed.path.some(isFreeText) && leadsIntoMap(type, changed.path),
      traits,
      parent,
      former: listHolders(before, above)[0],
      holders,
      purpose,
    };
  };
}

/** Labels and the like, whose values mean nothing by themselves. */
function isFreeText(segment: string | number): boolean {
  return /labels|annotations|tags|metadata/i.test(String(segment));
}

const toWordSet: (name: string) => ReadonlySet<string> = memoizeText((name) => new Set(splitWords(name)));

/** Arguments of one block follow each other, and the names around a deep one are many. */
function createOuterReader(): (names: readonly string[]) => ReadonlySet<string> {
  let latest = '';
  let words: ReadonlySet<string> = new Set();

  return (names) => {
    const outer = names.slice(0, -1).join(' ');
    if (outer === latest) return words;
    latest = outer;
    words = toWordSet(outer);
    return words;
  };
}

/** The effect of an argument from the table, or else from its names. */
function findArgumentEffect(type: string, { path, before, after }: ChangedValue, names: readonly string[]): Effect {
  const is_pair = names.at(-1) !== path.at(-1);
  return (is_pair ? undefined : findEffect(type, path)) ?? inferEffect(type, names, after ?? before);
}

function readNames(path: ChangedValue['path'], parent: MaybeJson): string[] {
  const names = path.filter((segment): segment is string => typeof segment === 'string');
  if (!PAIR_VALUES.has(names.at(-1) ?? '')) return names;
  const name = PAIR_NAMES.map((key) => member(parent, key)).find((value) => typeof value === 'string');
  return typeof name === 'string' ? [...names.slice(0, -1), name.slice(0, MAX_NAME_CHARS)] : names;
}

/** The objects on the way to an argument, the innermost first. */
function listHolders(value: MaybeJson, path: ChangedValue['path']): MaybeJson[] {
  const holders: MaybeJson[] = [value];
  let current = value;
  for (const segment of path) {
    current =
      Array.isArray(current) && typeof segment === 'number' ? current[segment] : member(current, String(segment));
    holders.push(current);
  }
  return holders.reverse();
}

/** Recognizes the kind of a document by the name of its file, its keys, or its directives. */
import { type MaybeJson, readMember } from '../../../changes/values.ts';
import { isObject } from '../../../lib/is-object.ts';
import type { JsonObject } from '../../../model/result.ts';
import kinds from './data/kinds.json' with { type: 'json' };
import { findDirectiveNames, hasTable } from './tables.ts';
import type { KindSigns } from './types.ts';

const SIGNS = Object.entries(kinds as Readonly<Record<string, KindSigns>>).map(([kind, { names = [], keys = [] }]) => ({
  kind,
  names,
  keys: keys.map((entry) => entry.split(' ')),
}));

/**
 * The kinds of a tree.
 *
 * @param names of its file and of what holds it, in lower case
 */
export function findTreeKinds(tree: MaybeJson, names: readonly string[]): string[] {
  const root = Array.isArray(tree) ? tree.find(isObject) : tree;
  if (!isObject(root)) return [];
  return SIGNS.filter(
    (signs) => signs.keys.some((keys) => keys.every((key) => hasSign(root, key))) || isNamed(signs.names, names),
  ).map(({ kind }) => kind);
}

function hasSign(tree: JsonObject, sign: string): boolean {
  const equals = sign.indexOf('=');
  if (equals < 0) return Object.hasOwn(tree, sign);
  return readMember(tree, sign.slice(0, equals)) === sign.slice(equals + 1);
}

function isNamed(signs: readonly string[], names: readonly string[]): boolean {
  return signs.some((sign) => names.some((name) => name.includes(sign)));
}

/** Directives of a kind that a text must have when its name does not tell the kind. */
const MIN_DIRECTIVES = 2;

/**
 * The kinds of a text whose lines are directives.
 *
 * @param directives of the text, each once
 * @param names as for {@link findTreeKinds}
 */
export function findLineKinds(directives: ReadonlySet<string>, names: readonly string[]): string[] {
  return SIGNS.filter(({ kind, names: signs, keys }) => {
    if (!kind.startsWith('lines/') || !hasTable(kind)) return false;
    if (isNamed(signs, names) || keys.some((all) => all.every((key) => directives.has(key)))) return true;
    let count = 0;
    for (const name of findDirectiveNames(kind)) if (directives.has(name)) count++;
    return count >= MIN_DIRECTIVES;
  }).map(({ kind }) => kind);
}

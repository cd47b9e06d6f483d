/** Values that move between the singular and the plural argument for the same thing. */
import type { PathNode } from '../changes/path-node.ts';
import { memberAt, type SideReader } from '../changes/side-reader.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonValue } from '../model/result.ts';

/**
 * Whether a block lists the same values before and after, once in `port` and once in `ports`: providers offer both, and
 * treat a single value as a list of one.
 *
 * @param node the path of either argument, or of an item of the list
 */
export function isMovedValue(node: PathNode, before: SideReader, after: SideReader): boolean {
  const at = typeof node.segment === 'number' ? node.parent : node;
  if (at === null || at.parent === null || typeof at.segment !== 'string') return false;
  const [was, is] = [before(at.parent), after(at.parent)];
  if (!isObject(was) || !isObject(is)) return false;
  return pairsFor(at.segment).some(([one, many]) => {
    const [from, to] = [collect(was, one, many), collect(is, one, many)];
    return from !== null && to !== null && from.from !== to.from && from.values === to.values;
  });
}

function pairsFor(name: string): [one: string, many: string][] {
  const pairs: [string, string][] = [`${name}s`, `${name}es`, `${name}_list`].map((many) => [name, many]);
  for (const ending of ['s', 'es', '_list']) {
    if (name.endsWith(ending)) pairs.push([name.slice(0, -ending.length), name]);
  }
  return pairs;
}

/** The values of one side, and which of the two arguments has them; null if both or none have. */
function collect(block: JsonValue, one: string, many: string): { from: 'one' | 'many'; values: string } | null {
  const [single, list] = [memberAt(block, one), memberAt(block, many)];
  const has_list = Array.isArray(list) && list.length > 0;
  if (typeof single === 'string' && single !== '' && !has_list) return { from: 'one', values: single };
  if ((single !== null && single !== '') || !has_list) return null;
  return list.length === 1 && typeof list[0] === 'string' ? { from: 'many', values: list[0] } : null;
}

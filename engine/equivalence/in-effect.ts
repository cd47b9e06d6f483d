import type { PathNode } from '../changes/path-node.ts';
import { memberAt, type SideReader } from '../changes/side-reader.ts';
import type { AttributeDiff, JsonValue } from '../model/result.ts';

/** How providers name the computed twin of an attribute, which shows the value in effect if none is configured. */
const TWINS = ['effective_*', '*_effective', 'actual_*', '*_actual', 'resolved_*', 'computed_*', '*_computed'] as const;

/**
 * Whether an unset attribute is set to the value that is in effect already: a computed twin of the attribute has this
 * value before and after. This holds for every provider. The reverse is no proof, because a provider may show the old
 * value of a twin until apply.
 */
export function statesEffectiveValue(
  node: PathNode,
  { before, after }: AttributeDiff,
  readBefore: SideReader,
  readAfter: SideReader,
): boolean {
  if (before !== null || after === null || typeof after === 'object') return false;
  if (node.parent === null || typeof node.segment !== 'string') return false;
  // A name below another name may be a key that users choose.
  if (node.depth > 1 && typeof node.parent.segment === 'string') return false;
  const [was, is] = [readBefore(node.parent), readAfter(node.parent)];
  return TWINS.some((twin) => {
    const name = twin.replace('*', node.segment as string);
    return hasValue(was, name, after) && hasValue(is, name, after);
  });
}

function hasValue(block: JsonValue, name: string, value: JsonValue): boolean {
  return memberAt(block, name) === value;
}

/** Both sides of the paths in a document that match a pattern. */
import type { MaybeJson } from '../../../changes/values.ts';
import { isObject } from '../../../lib/is-object.ts';
import { type Pair, pairsAt } from '../../attributes/walk.ts';

/** Any key of an object. */
const ANY_KEY = '{}';

/** Like {@link pairsAt}; `{}` matches any key of an object also before other segments. */
export function readPairs(pattern: readonly string[], before: MaybeJson, after: MaybeJson): Pair[] {
  const at = pattern.indexOf(ANY_KEY);
  if (at < 0) return pairsAt(pattern, before, after, false);
  const holders = pairsAt(pattern.slice(0, at), before, after, false);
  return holders.flatMap((holder) =>
    listKeys(holder).flatMap((key) =>
      readPairs([key, ...pattern.slice(at + 1)], holder.before, holder.after).map((pair) => ({
        ...pair,
        path: [...holder.path, ...pair.path],
      })),
    ),
  );
}

function listKeys({ before, after }: Pair): string[] {
  const keys = [before, after].flatMap((side) => (isObject(side) ? Object.keys(side) : []));
  return [...new Set(keys)];
}

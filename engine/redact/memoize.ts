/** Longer texts rarely repeat. */
const MAX_LENGTH = 100;
const MAX_TEXTS = 10_000;

/**
 * Caches the result of a search for short texts, because tags, regions, names and sentences repeat often.
 *
 * @param version the cache is cleared when it changes
 */
export function memoize(search: (text: string) => string, version: () => number): (text: string) => string {
  const known = new Map<string, string>();
  let knownFor = version();

  return (text) => {
    if (text.length > MAX_LENGTH) return search(text);
    if (knownFor !== version() || known.size > MAX_TEXTS) {
      known.clear();
      knownFor = version();
    }
    let found = known.get(text);
    if (found === undefined) {
      found = search(text);
      known.set(text, found);
    }
    return found;
  };
}

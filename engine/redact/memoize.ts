/** Longer texts come once. */
const MAX_LENGTH = 100;
const MAX_TEXTS = 10_000;

/**
 * The same search, made once for each short text: tags, regions, names and sentences come again and again.
 *
 * @param version while it stays, a text's outcome does too
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

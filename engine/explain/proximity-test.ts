/**
 * Tests whether one word occurs before another with at most `characters` in between, in one pass. A regular expression
 * with `.{0,40}` would rescan the text for each first word.
 *
 * @param first global, matching whole words
 * @param second global, matching whole words
 */
export function createProximityTest(
  first: RegExp,
  second: RegExp,
  characters: number,
): { test(text: string): boolean } {
  return {
    test(text) {
      const ends = [...text.matchAll(first)].map(({ 0: word, index }) => index + word.length);
      if (ends.length === 0) return false;
      let next = 0;
      for (const { index } of text.matchAll(second)) {
        while (next + 1 < ends.length && (ends[next + 1] as number) <= index) next += 1;
        const between = index - (ends[next] as number);
        if (between >= 0 && between <= characters) return true;
      }
      return false;
    },
  };
}

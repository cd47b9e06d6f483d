/** Finds the line that takes the place of another, by the words that both have. */

const WORD = /[\w.$@*-]{1,80}/g;
const MAX_WORDS = 60;
/** More changed lines than this are not paired: the text was rewritten. */
const MAX_LINES = 120;

/**
 * Pairs removed lines with added ones that share at least half of their words.
 *
 * @returns the added line by the removed one
 */
export function pairLines(removed: readonly string[], added: readonly string[]): Map<string, string> {
  const pairs = new Map<string, string>();
  if (removed.length > MAX_LINES || added.length > MAX_LINES) return pairs;
  const candidates = added.map((line) => ({ line, words: readWords(line), is_taken: false }));
  for (const line of removed) {
    const words = readWords(line);
    let best: { candidate: (typeof candidates)[number]; share: number } | null = null;
    for (const candidate of candidates) {
      if (candidate.is_taken) continue;
      const share = computeShare(words, candidate.words);
      if (share >= 0.5 && share > (best?.share ?? 0)) best = { candidate, share };
    }
    if (best === null) continue;
    best.candidate.is_taken = true;
    pairs.set(line, best.candidate.line);
  }
  return pairs;
}

function readWords(line: string): Set<string> {
  return new Set((line.slice(0, 2000).match(WORD) ?? []).slice(0, MAX_WORDS));
}

/** Share of the words of the shorter line that the other has, too. */
function computeShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  return small.size === 0 ? 0 : common / small.size;
}

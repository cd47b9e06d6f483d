/** Compares only the ends of addresses, which are the most specific. */
const MAX_COMPARED = 80;
const MAX_CANDIDATES = 2_000;

/**
 * Finds the candidates that a mistyped word may have meant, most likely first.
 *
 * @returns at most `most` candidates; omits candidates that differ in more than half of their letters
 */
export function rankNearest(text: string, candidates: Iterable<string>, most: number): string[] {
  const query = takeSuffix(text);
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (scored.length >= MAX_CANDIDATES) break;
    scored.push({ candidate, distance: distance(query, takeSuffix(candidate)) });
  }
  return scored
    .filter(({ candidate, distance: far }) => far * 2 <= Math.max(query.length, takeSuffix(candidate).length))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function takeSuffix(text: string): string {
  return text.toLowerCase().slice(-MAX_COMPARED);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

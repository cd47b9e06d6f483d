import type { AttributeDiff, Change } from '../model/result.ts';
import { COSMETIC } from '../risk/leaves.ts';

/** 0 for weakening changes, 1 for strengthening ones and forced replacements, 2 for the rest, 3 for tags. */
export function pathRank({ path, direction, forces_replacement }: AttributeDiff): number {
  if (direction === 'weakening') return 0;
  if (direction === 'strengthening' || forces_replacement) return 1;
  return isCosmetic(path) ? 3 : 2;
}

export function isCosmetic(path: string): boolean {
  const [name = ''] = path.split(/[.[]/, 1);
  return COSMETIC.has(name);
}

/** The attribute paths of a change: security-relevant ones first, tags last. */
export function rankedPaths({ attributes, risk }: Change): string[] {
  const named = new Set(risk.reasons.map(({ path }) => path));
  const rank = (diff: AttributeDiff) => (named.has(diff.path) ? 0 : pathRank(diff));
  return attributes
    .filter(({ path }) => path !== '')
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ path }) => path);
}

/** Moves tags to the end of a list of paths. */
export function tagsLast(paths: readonly string[]): string[] {
  return paths.toSorted((a, b) => Number(isCosmetic(a)) - Number(isCosmetic(b)));
}

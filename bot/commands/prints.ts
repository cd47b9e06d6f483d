import type { Change } from '../../engine/index.ts';
import type { CommandPlan } from './types.ts';

/** A change in the plan that it belongs to. */
export interface Found {
  key: string;
  change: Change;
}

/** Every listed change of every plan that has a result. */
export function changesOf(plans: readonly CommandPlan[]): Found[] {
  return plans.flatMap(({ key, analysis }) => (analysis?.changes ?? []).map((change) => ({ key, change })));
}

/** The changes that show each pattern, by its fingerprint. */
export function patternsOf(plans: readonly CommandPlan[]): Map<string, Found[]> {
  const patterns = new Map<string, Found[]>();
  for (const found of changesOf(plans)) {
    for (const print of found.change.noise.fingerprints) {
      const changes = patterns.get(print);
      if (changes === undefined) patterns.set(print, [found]);
      else changes.push(found);
    }
  }
  return patterns;
}

/** Fingerprints that begin with these digits, sorted; the one itself where it is whole. */
export function fingerprintsFor(digits: string, known: Iterable<string>): string[] {
  return [...known].filter((print) => print.startsWith(digits)).sort();
}

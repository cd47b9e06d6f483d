import type { Change } from '../../engine/index.ts';
import type { CommandPlan } from './types.ts';

/** A change in the plan that it belongs to. */
export interface PlanChange {
  key: string;
  change: Change;
}

/** Every listed change of every plan that has a result. */
export function collectChanges(plans: readonly CommandPlan[]): PlanChange[] {
  return plans.flatMap(({ key, analysis }) => (analysis?.changes ?? []).map((change) => ({ key, change })));
}

/** The changes that show each pattern, by its fingerprint. */
export function groupByFingerprint(plans: readonly CommandPlan[]): Map<string, PlanChange[]> {
  const patterns = new Map<string, PlanChange[]>();
  for (const found of collectChanges(plans)) {
    for (const fingerprint of found.change.noise.fingerprints) {
      const changes = patterns.get(fingerprint);
      if (changes === undefined) patterns.set(fingerprint, [found]);
      else changes.push(found);
    }
  }
  return patterns;
}

/** Fingerprints that begin with these digits, sorted; the one itself where it is whole. */
export function matchFingerprints(prefix: string, known: Iterable<string>): string[] {
  return [...known].filter((fingerprint) => fingerprint.startsWith(prefix)).sort();
}

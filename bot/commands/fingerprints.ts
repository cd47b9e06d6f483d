import type { Change } from '../../engine/index.ts';
import type { CommandPlan } from './types.ts';

/** A change together with the key of its plan. */
export interface PlanChange {
  key: string;
  change: Change;
}

/** All listed changes of all plans that have a result. */
export function collectChanges(plans: readonly CommandPlan[]): PlanChange[] {
  return plans.flatMap(({ key, analysis }) => (analysis?.changes ?? []).map((change) => ({ key, change })));
}

/** Groups changes by the fingerprints of their patterns. */
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

/** Returns the known fingerprints that begin with these digits, sorted. */
export function matchFingerprints(prefix: string, known: Iterable<string>): string[] {
  return [...known].filter((fingerprint) => fingerprint.startsWith(prefix)).sort();
}

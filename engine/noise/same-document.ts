import { normaliseGooglePolicy } from '../canonical/google-policy.ts';
import type { Nomination } from './equivalences.ts';
import { sameJson } from './json-text.ts';
import { normalisePolicy, partitionOf } from './policy.ts';

/** Whether two JSON texts are one document: as JSON anywhere, and by what it grants where the path is a policy's. */
export function isSameDocument(before: string, after: string, nomination: Nomination | null): boolean {
  if (nomination?.kind === 'bindings') return sameJson(before, after, normaliseGooglePolicy);
  if (nomination?.kind !== 'policy') return sameJson(before, after);
  const partition = partitionOf(before, after);
  return sameJson(before, after, (document) => normalisePolicy(document, partition));
}

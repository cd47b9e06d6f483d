import { normalisePattern } from '../canonical/event-pattern.ts';
import { normaliseGooglePolicy } from '../canonical/google-policy.ts';
import { normaliseTableSchema } from '../canonical/table-schema.ts';
import type { Nomination } from './equivalences.ts';
import { sameJson } from './json-text.ts';
import { normalisePolicy, partitionOf } from './policy.ts';

/**
 * Whether two JSON texts are one document: as JSON anywhere, and by what it grants or matches where the path is that of a
 * policy or a pattern.
 */
export function isSameDocument(before: string, after: string, nomination: Nomination | null): boolean {
  if (nomination?.kind === 'bindings') return sameJson(before, after, normaliseGooglePolicy);
  if (nomination?.kind === 'pattern') return sameJson(before, after, normalisePattern);
  if (nomination?.kind === 'table_schema') return sameJson(before, after, normaliseTableSchema);
  if (nomination?.kind !== 'policy') return sameJson(before, after);
  const partition = partitionOf(before, after);
  return sameJson(before, after, (document) => normalisePolicy(document, partition));
}

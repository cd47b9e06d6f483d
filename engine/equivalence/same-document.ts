import { normalizeAzurePolicy } from '../canonical/azure-policy.ts';
import { normalizeContainers, normalizeTaskContainers } from '../canonical/containers.ts';
import { normalizePattern } from '../canonical/event-pattern.ts';
import { normalizeGooglePolicy } from '../canonical/google-policy.ts';
import { normalizeStateMachine } from '../canonical/state-machine.ts';
import { normalizeStoredDocument } from '../canonical/stored-document.ts';
import { normalizeTableSchema } from '../canonical/table-schema.ts';
import { sameJson } from '../lib/json-text.ts';
import type { EquivalenceHint } from './equivalences.ts';
import { findPartition, normalizePolicy } from './policy.ts';

/**
 * Whether two JSON texts are equivalent: as JSON, or by what they grant or match if the hint names a policy or a
 * pattern.
 */
export function isSameDocument(before: string, after: string, hint: EquivalenceHint | null): boolean {
  if (hint?.kind === 'bindings') return sameJson(before, after, normalizeGooglePolicy);
  if (hint?.kind === 'pattern') return sameJson(before, after, normalizePattern, 'any');
  if (hint?.kind === 'state_machine') return sameJson(before, after, normalizeStateMachine, 'any');
  if (hint?.kind === 'containers') return sameJson(before, after, normalizeContainers);
  if (hint?.kind === 'containers_awsvpc') return sameJson(before, after, normalizeTaskContainers);
  if (hint?.kind === 'azure_policy') return sameJson(before, after, normalizeAzurePolicy);
  if (hint?.kind === 'stored_document') return sameJson(before, after, normalizeStoredDocument, 'any');
  if (hint?.kind === 'table_schema') return sameJson(before, after, normalizeTableSchema);
  return hint?.kind === 'policy' ? isSamePolicy(before, after) : sameJson(before, after);
}

/** Result of the last comparison: the prover and a catalog rule often compare the same texts. */
let latest = { before: '', after: '', same: false };

function isSamePolicy(before: string, after: string): boolean {
  if (latest.before === before && latest.after === after) return latest.same;
  const partition = findPartition(before, after);
  const same = sameJson(before, after, (document) => normalizePolicy(document, partition));
  latest = { before, after, same };
  return same;
}

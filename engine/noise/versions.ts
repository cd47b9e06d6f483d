import type { ResourceChange } from '../changes/types.ts';
import type { DocumentReader } from '../documents/reader.ts';
import { createProver, isWholeProof } from '../equivalence/prover.ts';
import { lookUpTraits } from '../risk/traits.ts';
import { isCascade } from './org-decision.ts';

/**
 * Whether a replacement registers a new version of an object, such as an ECS task definition, that is equal to the one
 * before: the values of all arguments are proven to mean the same. Sets `noise` and `same` of its diffs in place.
 */
export function isEqualVersion(change: ResourceChange, documents: DocumentReader | undefined): boolean {
  if (change.action !== 'replace' || lookUpTraits(change.type).versioned !== 'object') return false;
  const given = change.diffs.filter((diff) => !isCascade(diff, change.type));
  if (given.length === 0) return false;
  const proveLeaf = createProver(change, documents);
  const proofs = given.map((diff) => ({ diff, ...proveLeaf(diff) }));
  if (!proofs.every(({ diff, same }) => !diff.after_unknown && isWholeProof(same, diff))) return false;
  for (const { diff, same } of proofs) if (same !== null) diff.same = same;
  for (const diff of change.diffs) diff.noise = 'likely_benign';
  return true;
}

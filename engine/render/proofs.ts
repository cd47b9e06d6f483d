import type { Change, Equivalence } from '../model/result.ts';

const PHRASES: Record<Equivalence, string> = {
  order: 'order only',
  document: 'same document',
  policy: 'same policy',
  name: 'same name',
  address: 'same addresses',
  time: 'same time',
  number: 'same number',
  case: 'letter case only',
  blanks: 'blanks only',
  empty: 'both empty',
  default: 'the default',
};

/** Why changes are noise, by address: `order only`. Omits changes that are noise by a rule, without a proof. */
export function collectProofs(changes: readonly Change[]): Map<string, string> {
  const proofs = new Map<string, string>();
  for (const { address, noise, attributes } of changes) {
    if (noise.classification === 'novel') continue;
    const same = new Set(attributes.flatMap((diff) => (diff.same === undefined ? [] : [PHRASES[diff.same]])));
    if (same.size > 0) proofs.set(address, [...same].join(', '));
  }
  return proofs;
}

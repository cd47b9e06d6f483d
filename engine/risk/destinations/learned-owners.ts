/**
 * The owners that an organization may want to confirm as its own: those of the provider configuration and of prior values.
 * New values are never read, so that a proposed change cannot make itself known.
 */
import { toCanonicalOwner } from './aliases.ts';
import { findOwnerKind, findOwnerProblem, type OwnerKind } from './known-owner.ts';

/** Maximum number of owners that one plan teaches. */
const MAX_LEARNED = 200;
/** Plans have many buckets and addresses, and these say less about who owns them. */
const LAST_KINDS: ReadonlySet<OwnerKind> = new Set(['bucket', 'address'] as const);

export interface LearnedOwners {
  /** Adds an owner of the plan, as in `Place`; ignores what cannot be an organization's own. */
  add(owner: string): void;
  /**
   * Owners in canonical form, at most 200.
   *
   * @param configured owners of the provider configuration, which come first
   */
  list(configured: readonly string[]): string[];
}

export function createLearnedOwners(): LearnedOwners {
  const seen = new Set<string>();
  const candidates = new Set<string>();

  function add(owner: string): void {
    if (seen.has(owner)) return;
    seen.add(owner);
    if (canBelong(owner)) candidates.add(toCanonicalOwner(owner));
  }

  return {
    add,
    list(configured) {
      const all = [...new Set([...configured.filter(canBelong).map(toCanonicalOwner), ...candidates])];
      const isLast = (owner: string): boolean => LAST_KINDS.has(findOwnerKind(owner));
      return [...all.filter((owner) => !isLast(owner)), ...all.filter(isLast)].slice(0, MAX_LEARNED);
    },
  };
}

function canBelong(owner: string): boolean {
  return findOwnerProblem(owner) === null;
}

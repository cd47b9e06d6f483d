/** The accounts, projects, subscriptions, domains and tenants that the plan already uses, or that the organization confirmed. */
import { listAliases } from './aliases.ts';
import { isVendor } from './hosts.ts';
import { looksLike } from './look-alike.ts';

const MAX_OWNERS = 5_000;

/** Whether an owner is ours: the plan already uses it, or the organization confirmed it. */
export interface Ownership {
  has(owner: string): boolean;
  /** Nothing is known, as in a plan that only creates resources. */
  readonly is_empty: boolean;
  /** Whether the organization confirmed owners, so that a foreign one is on neither list. */
  readonly has_confirmed: boolean;
  /** Whether an owner of the same sort is known: another account, project, subscription or domain. */
  hasLike(owner: string): boolean;
  /** An owner of ours that the given one is easily taken for. */
  findLookAlike(owner: string): string | undefined;
}

export interface OwnershipCollector extends Ownership {
  /** Adds an owner of the plan, up to a fixed number. */
  add(owner: string): void;
  /** The fixed number is reached, so that further values need not be read. */
  readonly is_full: boolean;
}

/** @param confirmed owners of the organization, in canonical form */
export function createOwnership(confirmed: readonly string[] = []): OwnershipCollector {
  const owners = new Set<string>();
  const sorts = new Set<string>();

  function add(owner: string): void {
    if (owner === '' || owner === 'internal' || owners.size >= MAX_OWNERS || owners.has(owner)) return;
    owners.add(owner);
    if (!isVendor(owner)) sorts.add(findSort(owner));
  }

  for (const owner of confirmed) listAliases(owner).forEach(add);

  return {
    add,
    has: (owner) => owners.has(owner),
    // A known domain shows what is ours among tenants too; a known tenant says nothing about domains.
    hasLike: (owner) => sorts.has(findSort(owner)) || (findSort(owner) === 'tenant' && sorts.has('domain')),
    get is_empty() {
      return owners.size === 0;
    },
    get is_full() {
      return owners.size >= MAX_OWNERS;
    },
    has_confirmed: confirmed.length > 0,
    findLookAlike(owner) {
      if (owner.includes(':')) return undefined;
      for (const known of owners) if (!known.includes(':') && looksLike(owner, known)) return known;
      return undefined;
    },
  };
}

/** `account`, `project`, …; `tenant` for `github.com/acme`, and `domain`. */
function findSort(owner: string): string {
  const colon = owner.indexOf(':');
  if (colon >= 0) return owner.slice(0, colon);
  return owner.includes('/') ? 'tenant' : 'domain';
}

/** Knows no owner. */
export const NO_OWNERSHIP: Ownership = {
  has: () => false,
  hasLike: () => false,
  is_empty: true,
  has_confirmed: false,
  findLookAlike: () => undefined,
};

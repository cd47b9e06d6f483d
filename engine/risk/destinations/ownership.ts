/** The accounts, projects, subscriptions, domains and tenants that the plan already uses. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonValue } from '../../model/result.ts';
import { looksLike } from './look-alike.ts';
import { readNamedPlace } from './places.ts';

const MAX_OWNERS = 5_000;
/** Values of one resource that are read; more are rare and repeat the same owners. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 12;
/** Whether the plan already uses an owner. */
export interface Ownership {
  has(owner: string): boolean;
  /** Nothing is known, as in a plan that only creates resources. */
  readonly is_empty: boolean;
  /** An owner of the plan that the given one is easily taken for. */
  findLookAlike(owner: string): string | undefined;
}

export interface OwnershipCollector extends Ownership {
  /** Adds the owners of the prior values of a resource. */
  observe(change: ResourceChange): void;
}

/** Collects owners in time linear in the size of the values, up to a fixed number. */
export function createOwnership(): OwnershipCollector {
  const owners = new Set<string>();

  function observe({ before, type, provider }: ResourceChange): void {
    if (before === null) return;
    let left = MAX_VALUES;
    const visit = (value: JsonValue, name: string, depth: number): void => {
      if (left <= 0 || owners.size >= MAX_OWNERS) return;
      if (typeof value === 'string') {
        left -= 1;
        add(readNamedPlace(value, name)?.owner);
      } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
        if (Array.isArray(value)) for (const item of value) visit(item, name, depth + 1);
        else for (const key of Object.keys(value)) visit(value[key]!, key, depth + 1);
      }
    };
    visit(before, '', 0);
    addNamed(before['project'], provider === 'google' || type.startsWith('google_') ? 'project' : null);
    addNamed(before['account_id'] ?? before['owner_id'], provider === 'aws' ? 'account' : null);
    addNamed(before['bucket'], 'bucket');
  }

  function add(owner: string | undefined): void {
    if (owner !== undefined && owner !== '' && owner !== 'internal') owners.add(owner);
  }

  function addNamed(value: JsonValue | undefined, kind: string | null): void {
    if (kind !== null && typeof value === 'string' && value !== '' && owners.size < MAX_OWNERS) add(`${kind}:${value}`);
  }

  return {
    observe,
    has: (owner) => owners.has(owner),
    get is_empty() {
      return owners.size === 0;
    },
    findLookAlike(owner) {
      if (owner.includes(':')) return undefined;
      for (const known of owners) if (!known.includes(':') && looksLike(owner, known)) return known;
      return undefined;
    },
  };
}

/** Knows no owner. */
export const NO_OWNERSHIP: Ownership = { has: () => false, is_empty: true, findLookAlike: () => undefined };

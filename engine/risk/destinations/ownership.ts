/** The accounts, projects, subscriptions, domains and tenants that the plan already uses. */
import type { ResourceChange } from '../../changes/types.ts';
import type { JsonValue } from '../../model/result.ts';
import { isVendor } from './hosts.ts';
import { looksLike } from './look-alike.ts';
import { readNamedPlace, readPlace } from './places.ts';

const MAX_OWNERS = 5_000;
/** Values of one resource that are read; more are rare and repeat the same owners. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 12;
/** Records and zones of DNS, and certificates, are about names of ours. */
const NAMES_ZONE = /_(?:record|recordset|record_set|records|zone|managed_zone|hosted_zone|dns_[a-z_]{1,30})$/;

/** Whether the plan already uses an owner. */
export interface Ownership {
  has(owner: string): boolean;
  /** Nothing is known, as in a plan that only creates resources. */
  readonly is_empty: boolean;
  /** Whether an owner of the same sort is known: another account, project, subscription or domain. */
  hasLike(owner: string): boolean;
  /** An owner of the plan that the given one is easily taken for. */
  findLookAlike(owner: string): string | undefined;
}

export interface OwnershipCollector extends Ownership {
  /** Adds the owners of the prior values of a resource. */
  observe(change: ResourceChange): void;
  /** Adds owners that are known from elsewhere. */
  add(owners: readonly string[]): void;
}

/** Collects owners in time linear in the size of the values, up to a fixed number. */
export function createOwnership(): OwnershipCollector {
  const owners = new Set<string>();
  const sorts = new Set<string>();

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
    if (NAMES_ZONE.test(type)) add(readPlace(toHost(before['name'] ?? before['dns_name'] ?? before['zone']))?.owner);
  }

  function add(owner: string | undefined): void {
    if (owner === undefined || owner === '' || owner === 'internal' || owners.has(owner)) return;
    owners.add(owner);
    if (!isVendor(owner)) sorts.add(findSort(owner));
  }

  function addNamed(value: JsonValue | undefined, kind: string | null): void {
    if (kind !== null && typeof value === 'string' && value !== '' && owners.size < MAX_OWNERS) add(`${kind}:${value}`);
  }

  return {
    observe,
    add: (known) => known.forEach(add),
    has: (owner) => owners.has(owner),
    hasLike: (owner) => sorts.has(findSort(owner)),
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

function toHost(name: JsonValue | undefined): JsonValue | undefined {
  return typeof name === 'string' ? name.replace(/\.$/, '') : undefined;
}

/** `account`, `project`, …; `domain` for domains and tenants. */
function findSort(owner: string): string {
  const colon = owner.indexOf(':');
  return colon < 0 ? 'domain' : owner.slice(0, colon);
}

/** Knows no owner. */
export const NO_OWNERSHIP: Ownership = {
  has: () => false,
  hasLike: () => false,
  is_empty: true,
  findLookAlike: () => undefined,
};

import type { DomainParts } from '../../contract/domain-parts.ts';
import type { Inventory } from './inventory-service.ts';
import { SEALED_LISTINGS } from './seals.ts';

const HOUR_MS = 3_600_000;

export function resourceParts(inventory: Inventory) {
  return {
    // A type of its own: parts without handlers would absorb the types of all others.
    domain: 'resources' as const,
    handlers: {},
    sweeps: [{ name: 'resources.delete-gone', every_ms: HOUR_MS, run: inventory.deleteGone }],
    sealed_columns: [SEALED_LISTINGS],
  } satisfies DomainParts;
}

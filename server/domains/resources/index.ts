export { createInventory, type Inventory } from './inventory-service.ts';
export type { PartOutcome, PartReason } from './inventory-types.ts';
export { resourceParts } from './parts.ts';
export { SEALED_LISTINGS } from './seals.ts';

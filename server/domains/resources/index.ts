export { type Comparisons, createComparisons } from './comparison-service.ts';
export { createInventory, type Inventory } from './inventory-service.ts';
export type { PartOutcome, PartReason } from './inventory-types.ts';
export type { PlanLinks } from './links-service.ts';
export { resourceParts } from './parts.ts';
export { replaceMarks } from './replace-marks.ts';
export { SEALED_LISTINGS, SEALED_PROPERTIES } from './seals.ts';
export { createResources } from './service.ts';
export type { AccountDrift, DriftFilter, DriftReader, FoundLink } from './types.ts';

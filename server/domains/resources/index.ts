export { type Comparisons, createComparisons } from './comparison-service.ts';
export { createInventory, type Inventory } from './inventory-service.ts';
export type { PartOutcome, PartReason } from './inventory-types.ts';
export type { LiveKnowledge } from './live-facts-service.ts';
export { resourceParts } from './parts.ts';
export { replaceMarks } from './replace-marks.ts';
export { SEALED_LISTINGS, SEALED_PROPERTIES } from './seals.ts';
export { createResources, type PlanLinks } from './service.ts';
export type {
  AccountDrift,
  DriftCandidate,
  DriftFilter,
  DriftOutcome,
  DriftReader,
  FoundLink,
  PlanDriftItem,
  PlanDriftReader,
} from './types.ts';

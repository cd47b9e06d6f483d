export { driftParts } from './parts.ts';
export { createDriftReader } from './reader-service.ts';
export { createDrift, type Drift, type DriftDeps } from './service.ts';
export type { ComputeDrift } from './types.ts';

export { driftParts } from './parts.ts';
export { createPlanDrift, type PlanDrifts } from './plan-drift-service.ts';
export { createDriftReader } from './reader-service.ts';
export { createDrift, type Drift, type DriftDeps } from './service.ts';
export { createDriftSnapshots, type DriftSnapshots } from './snapshots-service.ts';
export type { ComputeDrift } from './types.ts';

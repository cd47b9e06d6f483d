import { type ComputationsDeps, createComputations } from './compute-service.ts';
import { createIgnoreRules, type IgnoreRulesDeps } from './ignore-rules-service.ts';
import { createRequests, type RequestsDeps } from './requests-service.ts';
import { createDriftSnapshots } from './snapshots-service.ts';

export type DriftDeps = Omit<ComputationsDeps, 'ignoreRules'> &
  Omit<IgnoreRulesDeps, 'readItems'> &
  Omit<RequestsDeps, 'computations'>;

/** The differences between clouds and states, and which of them an organization accepts. */
export function createDrift(deps: DriftDeps) {
  const snapshots = createDriftSnapshots(deps);
  const ignoreRules = createIgnoreRules({ ...deps, readItems: snapshots.readIgnorable });
  const computations = createComputations({ ...deps, ignoreRules });
  const requests = createRequests({ ...deps, computations });
  return { snapshots, ignoreRules, computations, requests };
}

export type Drift = ReturnType<typeof createDrift>;

import { type ComputationsDeps, createComputations } from './compute-service.ts';
import { createIacGeneration, type IacGenerationDeps } from './iac-service.ts';
import { createIgnoreRules, type IgnoreRulesDeps } from './ignore-rules-service.ts';
import { createNarratives, type NarrativesDeps } from './narrative-service.ts';
import { createRequests, type RequestsDeps } from './requests-service.ts';
import { createDriftSnapshots } from './snapshots-service.ts';

export type DriftDeps = Omit<ComputationsDeps, 'ignoreRules' | 'offerNarrative' | 'scans' | 'inventory'> &
  Omit<IgnoreRulesDeps, 'readItems'> &
  Omit<RequestsDeps, 'computations' | 'scans'> &
  Omit<NarrativesDeps, 'snapshots' | 'scans'> &
  Omit<IacGenerationDeps, 'inventory'> & {
    inventory: ComputationsDeps['inventory'] & IacGenerationDeps['inventory'];
    scans: ComputationsDeps['scans'] & RequestsDeps['scans'] & NarrativesDeps['scans'];
  };

/** The differences between clouds and states, and which of them an organization accepts. */
export function createDrift(deps: DriftDeps) {
  const snapshots = createDriftSnapshots(deps);
  const ignoreRules = createIgnoreRules({ ...deps, readItems: snapshots.readIgnorable });
  const narratives = createNarratives({ ...deps, snapshots });
  const computations = createComputations({ ...deps, ignoreRules, offerNarrative: narratives.offer });
  const requests = createRequests({ ...deps, computations });
  const iacGeneration = createIacGeneration(deps);
  return { iacGeneration, snapshots, ignoreRules, computations, requests, narratives };
}

export type Drift = ReturnType<typeof createDrift>;

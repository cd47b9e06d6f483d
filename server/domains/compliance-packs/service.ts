import type { OrgDatabase, OrgSnapshots } from '../../db/index.ts';
import { type BuilderDeps, createBuilder } from './build-service.ts';
import { createDownloads, type DownloadDeps } from './download-service.ts';
import { createPackMaintenance, type PackMaintenanceDeps } from './maintenance-service.ts';
import { createRequests, type RequestsDeps } from './requests-service.ts';
import { createRunner, type RunnerDeps } from './run-service.ts';

export interface CompliancePacksDeps
  extends Omit<BuilderDeps, 'db' | 'walkChain' | 'checkpoints'>,
    Omit<RunnerDeps, 'db' | 'build' | 'checkpoints'>,
    Omit<PackMaintenanceDeps, 'db'>,
    Omit<RequestsDeps, 'db' | 'orgs'>,
    Omit<DownloadDeps, 'db' | 'orgs'> {
  db: OrgDatabase & OrgSnapshots;
  orgs: RequestsDeps['orgs'] & DownloadDeps['orgs'];
  audit: RequestsDeps['audit'] & Pick<BuilderDeps, 'walkChain'>;
  checkpoints: BuilderDeps['checkpoints'] & RunnerDeps['checkpoints'];
  blobs: RequestsDeps['blobs'] & DownloadDeps['blobs'] & RunnerDeps['blobs'] & PackMaintenanceDeps['blobs'];
}

/** Compliance Packs: evidence of a period as a file that can be verified without the service. */
export function createCompliancePacks(deps: CompliancePacksDeps) {
  const build = createBuilder({ ...deps, walkChain: deps.audit.walkChain });
  return {
    requests: createRequests(deps),
    download: createDownloads(deps),
    run: createRunner({ ...deps, build }),
    maintenance: createPackMaintenance(deps),
  };
}

export type CompliancePacks = ReturnType<typeof createCompliancePacks>;

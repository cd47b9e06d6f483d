import type { StateBackend } from '../../adapters/state-backend/types.ts';
import { createStateAccess } from './access-service.ts';
import { type AccountStatesDeps, createAccountStates } from './account-states-service.ts';
import { type ChildrenDeps, createChildren } from './children-service.ts';
import { describeLocation } from './config.ts';
import { createGlobs, type GlobsDeps } from './globs-service.ts';
import { createListing, type ListingDeps } from './listing-service.ts';
import { createRefresher, type RefresherDeps } from './refresh-service.ts';
import { createRescanner } from './rescan-service.ts';
import { openConfig } from './seals.ts';
import { createSnapshots, type SnapshotsDeps } from './snapshots-service.ts';
import { createSources, type SourcesDeps } from './sources-service.ts';
import type { StateAccounts, StoredSource } from './types.ts';

export interface StateSourcesDeps
  extends Omit<SourcesDeps, 'access' | 'refresher' | 'snapshots'>,
    Omit<RefresherDeps, 'access' | 'snapshots' | 'backend'>,
    Omit<GlobsDeps, 'access' | 'listing' | 'orgs'>,
    Omit<ChildrenDeps, 'refresher'>,
    Omit<AccountStatesDeps, 'refresher' | 'blobs'>,
    SnapshotsDeps {
  orgs: SourcesDeps['orgs'] & GlobsDeps['orgs'] & ListingDeps['orgs'];
  audit: ChildrenDeps['audit'];
  backend: StateBackend;
  accounts: StateAccounts;
}

/** Where the states of an organization are stored, and the copies that were fetched. */
export function createStateSources(deps: StateSourcesDeps) {
  const access = createStateAccess(deps);
  const snapshots = createSnapshots(deps);
  const refresher = createRefresher({ ...deps, access, snapshots });
  const listing = createListing({ ...deps, access });
  return {
    sources: createSources({ ...deps, access, refresher, snapshots }),
    globs: createGlobs({ ...deps, access, listing }),
    rescanner: createRescanner({ ...deps, listing }),
    children: createChildren({ ...deps, refresher }),
    accountStates: createAccountStates({ ...deps, refresher }),
    snapshots,
    /** Where the state of a stored source is, without credentials; null for an upload. */
    describeLocation: (row: Pick<StoredSource, 'org_id' | 'id' | 'kind' | 'config_ct'>) =>
      describeLocation(row.kind, openConfig(deps.sealer, row)),
  };
}

export type StateSources = ReturnType<typeof createStateSources>;

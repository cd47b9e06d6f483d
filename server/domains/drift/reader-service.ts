import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { DriftReader } from '../resources/index.ts';
import * as store from './snapshots-store.ts';

/** The drift of all accounts, for views of the inventory. */
export function createDriftReader({ db }: Pick<ServiceDeps, 'db'>): DriftReader {
  return {
    listLatest: (org_id) => db.readInOrg(org_id, (read) => store.listLatest(read, org_id)),
    listDaily: (org_id, filter) => db.readInOrg(org_id, (read) => store.listDaily(read, org_id, filter)),
  };
}

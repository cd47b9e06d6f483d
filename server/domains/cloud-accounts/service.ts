import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { createAccountRecords } from './accounts-service.ts';
import { createIdentities } from './identity-service.ts';
import { createOpening } from './open-service.ts';
import { createReading } from './read-service.ts';
import { createScanAccess } from './scan-access-service.ts';
import { createSessions, type SessionDeps } from './session-service.ts';
import { createSetup } from './setup-service.ts';
import { createValidation } from './validate-service.ts';

export interface CloudAccountsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'>, SessionDeps {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: Pick<AuditWriter, 'record'>;
  /** Is called in the transaction that deletes an account, under the lock of the organization. */
  onDeleted: (trx: Db, account: { org_id: string; id: string }) => Promise<void>;
}

/** The cloud accounts of an organization: their credentials, and who those belong to. */
export function createCloudAccounts(deps: CloudAccountsDeps) {
  const sessions = createSessions(deps);
  const identities = createIdentities({ ...deps, sessions });
  const opening = createOpening({ ...deps, sessions });
  return {
    ...createAccountRecords({ ...deps, sessions, identities }),
    ...opening,
    scanAccess: createScanAccess({ ...deps, sessions, identities, ...opening }),
    validate: createValidation({ ...deps, sessions, identities, ...opening }),
    readResource: createReading({ ...deps, sessions, ...opening }),
    getSetup: createSetup(deps),
  };
}

export type CloudAccounts = ReturnType<typeof createCloudAccounts>;

import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type ApplyDeps, createApply } from './apply-service.ts';
import { createDuplicates } from './duplicates-service.ts';
import { type BillingMaintenanceDeps, createBillingMaintenance } from './maintenance-service.ts';
import { createReads, type ReadsDeps } from './read-service.ts';
import { createReceiver, type ReceiverDeps } from './receive-service.ts';
import { createSeats, type SeatsDeps } from './seats-service.ts';
import { createSessions, type SessionsDeps } from './sessions-service.ts';

export interface BillingDeps
  extends Omit<ApplyDeps, 'orgs' | 'duplicates'>,
    Omit<ReceiverDeps, 'orgs'>,
    Omit<SessionsDeps, 'orgs'>,
    Pick<BillingMaintenanceDeps, 'sweep_db'>,
    Pick<ServiceDeps, 'db'> {
  orgs: ApplyDeps['orgs'] & SessionsDeps['orgs'] & SeatsDeps['orgs'] & ReadsDeps['orgs'];
}

/** Subscriptions at the payment provider, and the plans that they pay for. */
export function createBilling(deps: BillingDeps) {
  const duplicates = createDuplicates(deps);
  const apply = createApply({ ...deps, duplicates });
  const seats = createSeats(deps);
  return {
    apply,
    reads: createReads(deps),
    sessions: createSessions(deps),
    receiver: createReceiver(deps),
    maintenance: createBillingMaintenance({ ...deps, apply, seats, duplicates, is_configured: deps.provider !== null }),
  };
}

export type Billing = ReturnType<typeof createBilling>;

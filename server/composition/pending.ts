/** What state sources use until the state backends are part of the service. */
import { StateBackendError } from '../adapters/state-backend/types.ts';
import type { InventoryDeps } from './inventory.ts';

export const PENDING: Pick<InventoryDeps, 'stateBackend' | 'assertAllowed'> = {
  stateBackend: { fetch: refuse, list: refuse },
  assertAllowed() {},
};

async function refuse(): Promise<never> {
  throw new StateBackendError('unusable', 'this release cannot read states yet');
}

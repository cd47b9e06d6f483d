/** What state sources use until the state backends and cloud accounts are part of the service. */
import { StateBackendError } from '../adapters/state-backend/types.ts';
import { NotFound } from '../lib/errors.ts';
import type { InventoryDeps } from './inventory.ts';

export const PENDING: Pick<InventoryDeps, 'stateBackend' | 'assertAllowed' | 'accounts'> = {
  stateBackend: { fetch: refuse, list: refuse },
  assertAllowed() {},
  accounts: {
    async openAccount() {
      throw new NotFound();
    },
    findOnlyAccount: async () => undefined,
  },
};

async function refuse(): Promise<never> {
  throw new StateBackendError('unusable', 'this release cannot read states yet');
}

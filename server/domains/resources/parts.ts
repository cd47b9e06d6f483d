import type { DomainParts } from '../../contract/domain-parts.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import type { Inventory } from './inventory-service.ts';
import { resourcePathChecks, resourceRoutes } from './routes.ts';
import { SEALED_LISTINGS, SEALED_PROPERTIES } from './seals.ts';
import type { Resources } from './service.ts';

const HOUR_MS = 3_600_000;

export function resourceParts(
  resources: Resources,
  { accounts, inventory }: { accounts: Pick<CloudAccounts, 'get'>; inventory: Pick<Inventory, 'deleteGone'> },
) {
  return {
    domain: 'resources',
    handlers: resourceRoutes(resources),
    path_checks: resourcePathChecks(resources, accounts),
    sweeps: [{ name: 'resources.delete-gone', every_ms: HOUR_MS, run: inventory.deleteGone }],
    sealed_columns: [SEALED_LISTINGS, SEALED_PROPERTIES],
  } satisfies DomainParts;
}

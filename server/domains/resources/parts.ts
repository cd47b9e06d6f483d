import type { DomainParts } from '../../contract/domain-parts.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import { resourcePathChecks, resourceRoutes } from './routes.ts';
import { SEALED_PROPERTIES } from './seals.ts';
import type { Resources } from './service.ts';

export function resourceParts(resources: Resources, accounts: Pick<CloudAccounts, 'get'>) {
  return {
    domain: 'resources',
    handlers: resourceRoutes(resources),
    path_checks: resourcePathChecks(resources, accounts),
    sealed_columns: [SEALED_PROPERTIES],
  } satisfies DomainParts;
}

import type { DomainParts } from '../../contract/domain-parts.ts';
import { CLOUD_ACCOUNT_AUDIT_EVENTS } from './audit-events.ts';
import { cloudAccountPathChecks, cloudAccountRoutes } from './routes.ts';
import { SEALED_CLOUD_CREDENTIALS } from './seals.ts';
import type { CloudAccounts } from './service.ts';
import { countAccounts } from './store.ts';

export function cloudAccountParts(cloudAccounts: CloudAccounts) {
  return {
    domain: 'cloud-accounts',
    handlers: cloudAccountRoutes(cloudAccounts),
    path_checks: cloudAccountPathChecks(cloudAccounts),
    sealed_columns: [SEALED_CLOUD_CREDENTIALS],
    audit_events: CLOUD_ACCOUNT_AUDIT_EVENTS,
    limits: ['cloud_accounts'],
    usage: { cloud_accounts: countAccounts },
  } satisfies DomainParts;
}

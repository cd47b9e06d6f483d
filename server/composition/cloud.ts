/** Trust between the service and the clouds and pipelines of its customers. */
import type { WorkloadIssuers } from '../adapters/workload-identity/index.ts';
import type { Db } from '../db/index.ts';
import {
  type Clouds,
  cloudAccountParts,
  createCloudAccounts,
  type DeploymentIdentity,
} from '../domains/cloud-accounts/index.ts';
import {
  createFederation,
  createTokenExchange,
  type FederationSettings,
  federationParts,
} from '../domains/federation/index.ts';
import type { Foundation } from './foundation.ts';
import type { Platform } from './platform.ts';

export interface CloudDeps {
  platform: Platform;
  /** Issuers of the tokens that CI jobs present. */
  issuers: WorkloadIssuers;
  clouds: Clouds;
  /** Is called in the transaction that deletes a cloud account. */
  onAccountDeleted: (trx: Db, account: { org_id: string; id: string }) => Promise<void>;
  /** Databases across organizations, for each domain that has one. */
  cross_org: { federation: { sweep_db: Db } };
  settings: {
    federation: FederationSettings & DeploymentIdentity;
    /** Whether the deployment has keys of its principal at AWS. */
    can_assume_roles: boolean;
  };
}

export function createCloud(foundation: Foundation, deps: CloudDeps) {
  const { platform, issuers, clouds, onAccountDeleted, cross_org, settings } = deps;
  const shared = { ...foundation, ...platform, issuers };
  const federation = createFederation({ ...shared, ...cross_org.federation, settings: settings.federation });
  const tokenExchange = createTokenExchange({ ...shared, api_url: settings.federation.api_url });
  const principal = settings.can_assume_roles ? settings.federation.aws_principal_arn : null;
  const cloudAccounts = createCloudAccounts({
    ...foundation,
    ...platform,
    sealer: foundation.columns,
    clouds,
    onDeleted: onAccountDeleted,
    deployment: { ...settings.federation, aws_principal_arn: principal },
  });
  return {
    federation,
    cloudAccounts,
    parts: [federationParts(federation, tokenExchange), cloudAccountParts(cloudAccounts)],
  };
}

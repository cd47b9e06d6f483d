/** The clouds that the service reads, what their administrators grant, and the states that are stored there. */
import type { AwsKeys } from '../adapters/aws/client-options.ts';
import { buildAwsPolicy, createAwsAdapter, createAwsKeySource } from '../adapters/cloud/aws/index.ts';
import { createAzureAdapter, createAzureTokenSource, describeAzureRoles } from '../adapters/cloud/azure/index.ts';
import { createGcpAdapter, createGcpTokenSource, describeGcpRoles } from '../adapters/cloud/gcp/index.ts';
import { withRecordedAccounts } from '../adapters/cloud/recorded/index.ts';
import type { CloudAdapter, SignToken } from '../adapters/cloud/types.ts';
import type { GuardedFetch } from '../adapters/egress/index.ts';
import { createLockedBuckets, type LockedBuckets } from '../adapters/locked-bucket/index.ts';
import { createStateBackend } from '../adapters/state-backend/index.ts';
import type { StateBackend } from '../adapters/state-backend/types.ts';
import type { Deployment } from '../adapters/workload-identity/index.ts';
import type { Clouds } from '../domains/cloud-accounts/index.ts';

export interface CloudsDeps {
  fetch: GuardedFetch;
  /** The identity of this deployment; null if it signs no tokens. */
  deployment: Deployment | null;
  /** Keys of the principal that assumes the roles of customers at AWS; null if there is none. */
  aws_keys: AwsKeys | null;
  now: () => Date;
}

/** @param deps `recorded_accounts`: their folder; null if they are off */
export function openClouds(deps: CloudsDeps & { recorded_accounts: string | null }): Clouds {
  const shared = toShared(deps);
  const wrap = (adapter: CloudAdapter) => withRecordedAccounts(adapter, { folder: deps.recorded_accounts });
  const { roles, permissions, apis } = describeGcpRoles();
  return {
    aws: {
      adapter: wrap(createAwsAdapter({ ...shared, own_keys: deps.aws_keys })),
      grants: { policy_document: { ...buildAwsPolicy() } },
    },
    gcp: { adapter: wrap(createGcpAdapter(shared)), grants: { roles, permissions, apis } },
    azure: { adapter: wrap(createAzureAdapter(shared)), grants: { role: describeAzureRoles().role } },
  };
}

/** Reads states from buckets with the credentials of cloud accounts, and from HCP Terraform. */
export function openStateBackend(deps: CloudsDeps): StateBackend {
  const shared = toShared(deps);
  return createStateBackend({
    fetch: deps.fetch,
    now: deps.now,
    openAwsKeys: createAwsKeySource({ ...shared, own_keys: deps.aws_keys }),
    openGoogleToken: createGcpTokenSource(shared),
    openAzureToken: createAzureTokenSource(shared),
  });
}

/** Writes to buckets of organizations, with the credentials of cloud accounts or with access keys. */
export function openLockedBuckets(deps: CloudsDeps): LockedBuckets {
  const openAwsKeys = createAwsKeySource({ ...toShared(deps), own_keys: deps.aws_keys });
  return createLockedBuckets({ fetch: deps.fetch, openAwsKeys });
}

function toShared({ fetch, deployment, now }: CloudsDeps) {
  return { fetch, now, signToken: deployment?.signToken ?? signNothing };
}

/** The domain rejects credentials that need tokens before a cloud is asked. */
const signNothing: SignToken = async () => {
  throw new Error('this deployment has no identity: API_URL and FEDERATION_SUBJECT are not set');
};

/** The clouds that the service reads, and what their administrators grant. */
import type { AwsKeys } from '../adapters/aws/client-options.ts';
import { buildAwsPolicy, createAwsAdapter } from '../adapters/cloud/aws/index.ts';
import { createAzureAdapter, describeAzureRoles } from '../adapters/cloud/azure/index.ts';
import { createGcpAdapter, describeGcpRoles } from '../adapters/cloud/gcp/index.ts';
import type { SignToken } from '../adapters/cloud/types.ts';
import type { GuardedFetch } from '../adapters/egress/index.ts';
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

export function openClouds({ fetch, deployment, aws_keys, now }: CloudsDeps): Clouds {
  const shared = { fetch, now, signToken: deployment?.signToken ?? signNothing };
  const { roles, permissions, apis } = describeGcpRoles();
  return {
    aws: {
      adapter: createAwsAdapter({ ...shared, own_keys: aws_keys }),
      grants: { policy_document: { ...buildAwsPolicy() } },
    },
    gcp: { adapter: createGcpAdapter(shared), grants: { roles, permissions, apis } },
    azure: { adapter: createAzureAdapter(shared), grants: { role: describeAzureRoles().role } },
  };
}

/** The domain rejects credentials that need tokens before a cloud is asked. */
const signNothing: SignToken = async () => {
  throw new Error('this deployment has no identity: API_URL and FEDERATION_SUBJECT are not set');
};

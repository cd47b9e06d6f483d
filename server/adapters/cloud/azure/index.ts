import type { GuardedFetch } from '../../egress/index.ts';
import { createRest } from '../rest/request.ts';
import { createThrottle, type ThrottleDeps } from '../throttle.ts';
import type { CloudAdapter, SignToken } from '../types.ts';
import { CALLS } from './calls.ts';
import { AZURE_CLOUDS, type AzureCloud, type AzureEndpoints } from './endpoints.ts';
import { CLOUD } from './faults.ts';
import { createQuota, type QuotaDeps } from './quota.ts';
import { openAzureSession } from './session.ts';
import { createAzureTokens, type OpenAzureToken } from './tokens.ts';

export { AZURE_CLOUDS, type AzureCloud } from './endpoints.ts';
export { type AzureRoles, describeAzureRoles } from './roles.ts';
export type { OpenAzureToken } from './tokens.ts';

export interface AzureDeps {
  fetch: GuardedFetch;
  signToken: SignToken;
  /** The public cloud unless given. */
  cloud?: AzureCloud;
  /** Replaces parts of the cloud's endpoints, for tests and private endpoints. */
  endpoints?: Partial<AzureEndpoints>;
  now?: () => Date;
  timeout_ms?: number;
  max_bytes?: number;
  throttle?: ThrottleDeps;
  quota?: QuotaDeps;
}

/** Reads subscriptions of Azure through Resource Graph. */
export function createAzureAdapter(deps: AzureDeps): CloudAdapter {
  const parts = connect(deps);
  return {
    provider: 'azure',
    calls: Object.values(CALLS),
    // A throttle and a quota for each session: the limits are those of one application.
    open: (target) =>
      openAzureSession(target, { ...parts, throttle: createThrottle(deps.throttle), quota: createQuota(deps.quota) }),
  };
}

/** Issues access tokens of Microsoft Entra ID for other adapters, such as the one that reads states from blobs. */
export function createAzureTokenSource(deps: AzureDeps): OpenAzureToken {
  return connect(deps).openToken;
}

function connect({
  fetch,
  signToken,
  cloud = 'public',
  now = () => new Date(),
  timeout_ms,
  max_bytes,
  ...deps
}: AzureDeps) {
  const rest = createRest({ fetch, cloud: CLOUD, timeout_ms, max_bytes });
  const endpoints = { ...AZURE_CLOUDS[cloud], ...deps.endpoints };
  return { rest, endpoints, now, openToken: createAzureTokens({ rest, signToken, endpoints, now }) };
}

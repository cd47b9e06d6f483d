import type { GuardedFetch } from '../../egress/index.ts';
import { createRest } from '../rest/request.ts';
import { createThrottle, type ThrottleDeps } from '../throttle.ts';
import type { CloudAdapter, SignToken } from '../types.ts';
import { CALLS } from './calls.ts';
import { GCP_ENDPOINTS, type GcpEndpoints } from './endpoints.ts';
import { CLOUD } from './faults.ts';
import { openGcpSession } from './session.ts';
import { createGoogleTokens, type OpenGoogleToken } from './tokens.ts';

export { describeGcpRoles, type GcpRoles } from './roles.ts';
export type { OpenGoogleToken } from './tokens.ts';

export interface GcpDeps {
  fetch: GuardedFetch;
  signToken: SignToken;
  /** Base URLs that replace those of Google, for tests and private endpoints. */
  endpoints?: Partial<GcpEndpoints>;
  now?: () => Date;
  timeout_ms?: number;
  max_bytes?: number;
  throttle?: ThrottleDeps;
}

/** Reads projects of Google Cloud through the Cloud Asset API. */
export function createGcpAdapter(deps: GcpDeps): CloudAdapter {
  const parts = connect(deps);
  return {
    provider: 'gcp',
    calls: Object.values(CALLS),
    // A throttle for each session: the quotas are those of one project.
    open: (target) => openGcpSession(target, { ...parts, throttle: createThrottle(deps.throttle) }),
  };
}

/** Issues access tokens of Google Cloud for other adapters, such as the one that reads states from buckets. */
export function createGcpTokenSource(deps: GcpDeps): OpenGoogleToken {
  return connect(deps).openToken;
}

function connect({ fetch, signToken, now = () => new Date(), timeout_ms, max_bytes, ...deps }: GcpDeps) {
  const rest = createRest({ fetch, cloud: CLOUD, timeout_ms, max_bytes });
  const endpoints = { ...GCP_ENDPOINTS, ...deps.endpoints };
  return { rest, endpoints, now, openToken: createGoogleTokens({ rest, signToken, endpoints, now }) };
}

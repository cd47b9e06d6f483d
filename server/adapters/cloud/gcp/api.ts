import type { Rest, RestResponse } from '../rest/request.ts';
import { unreadable } from '../rest/request.ts';
import type { Throttle } from '../throttle.ts';
import type { CloudCall } from '../types.ts';
import type { GcpService } from './calls.ts';
import type { GcpEndpoints } from './endpoints.ts';
import { CLOUD, toGoogleError } from './faults.ts';

export interface GoogleRequest {
  /** After the base URL of the service. */
  path: string;
  /** Makes the request a POST. */
  body?: Record<string, unknown>;
  signal: AbortSignal;
  /** May throw another error before a refusal becomes a CloudError. */
  check?: (response: RestResponse) => void;
}

export type AskGoogle = (
  call: CloudCall & { service: GcpService },
  request: GoogleRequest,
) => Promise<Record<string, unknown>>;

export interface GoogleApiDeps {
  /** Adds the token of the session. */
  rest: Rest;
  throttle: Throttle;
  endpoints: GcpEndpoints;
  now: () => Date;
}

/** Calls Google APIs within their rate limits. @throws CloudError from the returned function */
export function createGoogleApi({ rest, throttle, endpoints, now }: GoogleApiDeps): AskGoogle {
  return (call, { path, body, signal, check }) => {
    const { service } = call;
    const url = `${endpoints[service]}${path}`;
    const request = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body };
    const attempt = async () => {
      const response = await rest({ ...request, service, url, signal });
      check?.(response);
      if (response.status !== 200) throw toGoogleError(response, call, now());
      return response.body ?? throwUnreadable(service);
    };
    return throttle.run(service, null, attempt, signal);
  };
}

export function throwUnreadable(service: string): never {
  throw unreadable({ cloud: CLOUD, service });
}

import { type Rest, type RestResponse, unreadable } from '../rest/request.ts';
import type { Throttle } from '../throttle.ts';
import type { CloudCall } from '../types.ts';
import { CALLS } from './calls.ts';
import type { AzureEndpoints } from './endpoints.ts';
import { CLOUD, toAzureError } from './faults.ts';
import type { Quota } from './quota.ts';

export interface AzureRequest {
  /** After the base URL of Resource Manager. */
  path: string;
  /** Makes the request a POST. */
  body?: Record<string, unknown>;
  signal: AbortSignal;
  /** May throw another error before a refusal becomes a CloudError. */
  check?: (response: RestResponse) => void;
}

export type AskAzure = (call: CloudCall, request: AzureRequest) => Promise<Record<string, unknown>>;

export interface AzureApiDeps {
  /** Adds the token of the session. */
  rest: Rest;
  throttle: Throttle;
  quota: Quota;
  endpoints: AzureEndpoints;
  now: () => Date;
}

/** Calls Resource Manager and Resource Graph within their rate limits. @throws CloudError from the returned function */
export function createAzureApi({ rest, throttle, quota, endpoints, now }: AzureApiDeps): AskAzure {
  return (call, { path, body, signal, check }) => {
    const { service } = call;
    const url = `${endpoints.management}${path}`;
    const request = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body };
    const attempt = async () => {
      if (service === CALLS.query.service) await quota.wait(signal);
      const response = await rest({ ...request, service, url, signal });
      quota.update(response.headers);
      check?.(response);
      if (response.status !== 200) throw toAzureError(response, call, now());
      return response.body ?? throwUnreadable(service);
    };
    return throttle.run(service, null, attempt, signal);
  };
}

export function throwUnreadable(service: string): never {
  throw unreadable({ cloud: CLOUD, service });
}

import type { Throttle } from '../throttle.ts';
import type { CloudCall, CloudError } from '../types.ts';
import { type Rest, type RestResponse, unreadable } from './request.ts';

export interface CloudRequest {
  /** After the base URL of the service. */
  path: string;
  /** Makes the request a POST. */
  body?: Record<string, unknown>;
  signal: AbortSignal;
  /** May throw another error before a refusal becomes a CloudError. */
  check?: (response: RestResponse) => void;
}

/** Makes a declared call. @returns the JSON object of the response @throws CloudError */
export type AskCloud<Call extends CloudCall> = (call: Call, request: CloudRequest) => Promise<Record<string, unknown>>;

export interface CloudApiDeps<Call extends CloudCall> {
  /** Name of the cloud in messages. */
  cloud: string;
  /** Adds the token of the session. */
  rest: Rest;
  throttle: Throttle;
  /** A limit that the cloud announces before it rejects requests. */
  quota?: { wait(signal: AbortSignal): Promise<void>; update(headers: Headers): void };
  findBaseUrl(call: Call): string;
  toError(response: RestResponse, call: Call): CloudError;
}

/** Calls the API of a cloud within its rate limits. */
export function createCloudApi<Call extends CloudCall>(deps: CloudApiDeps<Call>): AskCloud<Call> {
  const { cloud, rest, throttle, quota, findBaseUrl, toError } = deps;

  return (call, { path, body, signal, check }) => {
    const { service } = call;
    const request = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body };
    const attempt = async () => {
      await quota?.wait(signal);
      const response = await rest({ ...request, service, url: `${findBaseUrl(call)}${path}`, signal });
      quota?.update(response.headers);
      check?.(response);
      if (response.status !== 200) throw toError(response, call);
      if (response.body === null) throw unreadable({ cloud, service });
      return response.body;
    };
    return throttle.run(service, null, attempt, signal);
  };
}

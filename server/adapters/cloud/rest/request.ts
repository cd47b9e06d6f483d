import { isObject } from '../../../lib/is-object.ts';
import { readLimitedBody } from '../../../lib/read-body.ts';
import { parseStrictJson } from '../../../lib/strict-json.ts';
import { EgressError, type GuardedFetch } from '../../egress/index.ts';
import { CloudError } from '../types.ts';
import { createCloudError, createTooLargeError } from './fault.ts';

/** A page of 1,000 resources with large properties has about 10 MB. */
const MAX_BYTES = 67_108_864;
const TIMEOUT_MS = 60_000;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface RestRequest {
  /** Name of the service in faults, such as `cloudasset`. */
  service: string;
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  /** Sent as a form if it is URLSearchParams, and as JSON otherwise. */
  body?: URLSearchParams | Record<string, unknown>;
  signal: AbortSignal;
}

export interface RestResponse {
  status: number;
  headers: Headers;
  /** The JSON object of the response; null if the body was not one. */
  body: Record<string, unknown> | null;
}

export type Rest = (request: RestRequest) => Promise<RestResponse>;

export interface RestOptions {
  fetch: GuardedFetch;
  /** Name of the cloud in messages, such as `Google Cloud`. */
  cloud: string;
  /** Total time of a request, including its body. */
  timeout_ms?: number | undefined;
  max_bytes?: number | undefined;
}

/**
 * Sends requests to a REST API of a cloud, with a limit for total time and size, and without following redirects.
 *
 * @throws CloudError from the returned function, if there is no response: `timeout`, `parse_error` (too large) or
 *   `internal` (the address is not allowed); the reason of the caller's signal if that ended the request
 */
export function createRest({ fetch, cloud, timeout_ms = TIMEOUT_MS, max_bytes = MAX_BYTES }: RestOptions): Rest {
  return async (request) => {
    const deadline = AbortSignal.timeout(timeout_ms);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      const response = await fetch(request.url, { ...encode(request), method: request.method, signal });
      const bytes = await readLimitedBody(response, max_bytes);
      if (bytes === undefined) throw createTooLargeError(cloud, request.service, max_bytes);
      return { status: response.status, headers: response.headers, body: parseObject(bytes) };
    } catch (error) {
      if (error instanceof CloudError) throw error;
      if (request.signal.aborted) throw request.signal.reason;
      throw noResponse(error, { cloud, service: request.service, timed_out: deadline.aborted });
    }
  };
}

function encode({ headers = {}, body }: RestRequest): { headers: Record<string, string>; body?: string } {
  const sent = { accept: 'application/json', ...headers };
  if (body === undefined) return { headers: sent };
  const is_form = body instanceof URLSearchParams;
  const content_type = is_form ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = is_form ? body.toString() : JSON.stringify(body);
  return { headers: { ...sent, 'content-type': content_type }, body: text };
}

/** Azure starts some responses with a byte order mark. */
function parseObject(bytes: Buffer): RestResponse['body'] {
  const text = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  try {
    const value = parseStrictJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

interface NoResponse {
  cloud: string;
  service: string;
  timed_out: boolean;
}

function noResponse(error: unknown, { cloud, service, timed_out }: NoResponse): CloudError {
  const reason = error instanceof EgressError ? error.reason : 'unreachable';
  if (timed_out) {
    const message = `${cloud} did not respond in time (${service}). Scan again later.`;
    return createCloudError({ code: 'timeout', message, service, retryable: true }, { cause: error });
  }
  if (reason === 'refused') {
    const message = `The address of ${service} is not allowed: it is not on the public internet. The operator of this service has to correct the endpoint, or allow the host.`;
    return createCloudError({ code: 'internal', message, service }, { cause: error });
  }
  if (reason === 'unusable') return unreadable({ cloud, service, cause: error });
  const message = `${cloud} cannot be reached, or closed the connection early (${service}). Scan again later.`;
  return createCloudError({ code: 'timeout', message, service, retryable: true }, { cause: error });
}

/** The fault for a response that is not what the API describes, such as the HTML page of a proxy. */
export function unreadable(from: { cloud: string; service: string; cause?: unknown }): CloudError {
  const message = `${from.cloud} sent a response of ${from.service} that cannot be read. A proxy between this service and ${from.cloud} can be the cause.`;
  const options = from.cause === undefined ? undefined : { cause: from.cause };
  return createCloudError({ code: 'parse_error', message, service: from.service, retryable: true }, options);
}

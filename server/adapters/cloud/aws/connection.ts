import { readLimitedBody } from '../../../lib/read-body.ts';
import type { AwsConnection } from '../../aws/client-options.ts';
import type { GuardedFetch } from '../../egress/index.ts';
import { createCloudError, createTooLargeError } from '../rest/fault.ts';
import { CloudError } from '../types.ts';
import { CLOUD } from './faults.ts';

const TIMEOUT_MS = 60_000;
/** A page has at most 100 resources, and CloudFormation limits properties to 256 KiB each. */
const MAX_BYTES = 33_554_432;
const WITHOUT_BODY = new Set([204, 205, 304]);

export interface ConnectionOptions {
  fetch: GuardedFetch;
  timeout_ms?: number | undefined;
  max_bytes?: number | undefined;
}

/**
 * How an SDK sends one request: with limits for time and size, and without following redirects.
 *
 * @throws CloudError from `fetch`: `timeout` if there is no complete response, `parse_error` if it is too large
 */
export function openConnection(options: ConnectionOptions, service: string, signal: AbortSignal): AwsConnection {
  const { fetch, timeout_ms = TIMEOUT_MS, max_bytes = MAX_BYTES } = options;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);

  async function exchange(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = init.body == null ? {} : { body: decodeText(init.body) };
    try {
      const response = await fetch(String(input), { method: init.method ?? 'GET', headers, ...body, signal: limited });
      const bytes = await readLimitedBody(response, max_bytes);
      if (bytes === undefined) throw createTooLargeError(CLOUD, service, max_bytes);
      const { status } = response;
      return new Response(WITHOUT_BODY.has(status) ? null : bytes, { status, headers: response.headers });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof CloudError ? error : noResponse(service, error);
    }
  }

  return { fetch: exchange, signal: limited };
}

function decodeText(body: unknown): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
}

function noResponse(service: string, cause: unknown): CloudError {
  const message = `${CLOUD} cannot be reached, or did not answer in time (${service}). Scan again later.`;
  return createCloudError({ code: 'timeout', message, service, retryable: true }, { cause });
}

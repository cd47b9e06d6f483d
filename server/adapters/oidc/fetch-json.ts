import { Unauthenticated, Unavailable } from '../../lib/errors.ts';
import { isObject } from '../../lib/is-object.ts';

export const FETCH_TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/**
 * Fetches a JSON object from the identity provider. Redirects are not followed.
 *
 * @param token sent as bearer token
 * @throws Unauthenticated if the provider rejects `token`; Unavailable if there is no response within five seconds, or
 *   it is not a JSON object of at most 1 MiB
 */
export async function fetchJson(url: string, token?: string): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    text = await readBounded(response);
  } catch (error) {
    throw new Unavailable('the identity provider cannot be reached', { cause: error });
  }
  if (token !== undefined && (response.status === 401 || response.status === 403)) {
    throw new Unauthenticated('the identity provider rejected this token', 'invalid_token');
  }
  if (response.status !== 200) throw new Unavailable(`the identity provider responded with status ${response.status}`);
  return parseObject(text);
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`the response is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Unavailable('the identity provider sent a response that is not JSON', { cause: error });
  }
  if (!isObject(value)) throw new Unavailable('the identity provider sent JSON that is not an object');
  return value;
}

import type { IncomingMessage } from 'node:http';
import { isPlain, type OutgoingRequest, respond, unreachable } from './request.ts';
import { EgressError } from './types.ts';

const MAX_BYTES = 1_048_576;

export type JsonRequest = Omit<OutgoingRequest, 'method' | 'headers' | 'body'>;

/**
 * Fetches a JSON document: status 200, not compressed, at most one megabyte, without following redirects.
 *
 * @throws EgressError `unreachable` or `unusable`
 */
export async function requestJson(input: JsonRequest): Promise<unknown> {
  const response = await respond({ ...input, headers: { accept: 'application/json' } });
  const host = input.url.host;
  if (response.statusCode !== 200) {
    response.destroy();
    throw new EgressError('unusable', `${host} responded with status ${response.statusCode}`);
  }
  if (!isPlain(response)) {
    response.destroy();
    throw new EgressError('unusable', `${host} sent a response with an unexpected encoding`);
  }
  const text = await readText(response, host);
  try {
    return JSON.parse(text);
  } catch {
    throw new EgressError('unusable', `${host} sent a response that is not JSON`);
  }
}

async function readText(response: IncomingMessage, host: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES)
        throw new EgressError('unusable', `${host} sent a response larger than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof EgressError ? error : unreachable(host, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

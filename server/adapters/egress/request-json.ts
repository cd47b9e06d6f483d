import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { EgressError } from './types.ts';

const MAX_BYTES = 1_048_576;

export interface JsonRequest {
  url: URL;
  /** Dialled instead of the name; TLS and the header Host go on speaking of the name. */
  address?: string;
  agent?: Agent;
  /** Certificates to trust besides the system's; for tests. */
  ca?: string | undefined;
  signal: AbortSignal;
}

/**
 * The JSON document at an address: status 200, plain bytes, no more than a megabyte, no redirect followed.
 *
 * @throws EgressError `unreachable` or `unusable`
 */
export async function requestJson(input: JsonRequest): Promise<unknown> {
  const response = await respond(input);
  const host = input.url.host;
  if (response.statusCode !== 200) {
    response.destroy();
    throw new EgressError('unusable', `${host} answered with status ${response.statusCode}`);
  }
  // A compressed answer may be a thousand times what was read.
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
    response.destroy();
    throw new EgressError('unusable', `${host} answered with an encoding that was not asked for`);
  }
  const text = await readText(response, host);
  try {
    return JSON.parse(text);
  } catch {
    throw new EgressError('unusable', `${host} answered with something that is not JSON`);
  }
}

function respond({ url, address, agent, ca, signal }: JsonRequest): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  const host = address ?? url.hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)({
      host,
      port: url.port,
      path: `${url.pathname}${url.search}`,
      // Without a servername of its own, TLS takes the one of the header Host.
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'dpa' },
      agent: agent ?? false,
      ca,
      signal,
    });
    request.once('response', resolve);
    request.on('error', (error) => reject(unreachable(url.host, error)));
    request.end();
  });
}

async function readText(response: IncomingMessage, host: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new EgressError('unusable', `${host} answered with more than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof EgressError ? error : unreachable(host, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unreachable(host: string, cause: unknown): EgressError {
  return new EgressError('unreachable', `${host} cannot be reached`, { cause });
}

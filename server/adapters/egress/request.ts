import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { EgressError } from './types.ts';

export interface OutgoingRequest {
  url: URL;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Dialled instead of the name; TLS and the header Host go on speaking of the name. */
  address?: string;
  agent?: Agent;
  /** Certificates to trust besides the system's; for tests. */
  ca?: string | undefined;
  signal: AbortSignal;
}

/**
 * The head of an answer; its body is still to come. Plain bytes are asked for, since a compressed answer may be a
 * thousand times what was read. No redirect is followed.
 *
 * @throws EgressError `unreachable`
 */
export function respond(input: OutgoingRequest): Promise<IncomingMessage> {
  const { url, address, agent, ca, signal } = input;
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)({
      host: address ?? url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method: input.method ?? 'GET',
      // Without a servername of its own, TLS takes the one of the header Host.
      headers: { 'user-agent': 'dpa', ...input.headers, host: url.host, 'accept-encoding': 'identity' },
      agent: agent ?? false,
      ca,
      signal,
    });
    request.once('response', resolve);
    request.on('error', (error) => reject(unreachable(url.host, error)));
    request.end(input.body);
  });
}

/** Whether the body comes as it is, not in an encoding that nobody asked for. */
export function isPlain(response: IncomingMessage): boolean {
  return (response.headers['content-encoding'] ?? 'identity') === 'identity';
}

export function unreachable(host: string, cause: unknown): EgressError {
  return new EgressError('unreachable', `${host} cannot be reached`, { cause });
}

import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { EgressError } from './types.ts';

export interface OutgoingRequest {
  url: URL;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Dialed instead of the name; TLS and the Host header still use the name. */
  address?: string;
  agent?: Agent;
  connect_timeout_ms?: number;
  /** Certificates to trust in addition to the system's; for tests. */
  ca?: string | undefined;
  signal: AbortSignal;
}

/**
 * Returns when the headers of the response have arrived; the body is still unread. Requests an uncompressed body,
 * because a compressed one can be a thousand times larger than what was read. Does not follow redirects.
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
      // Without an explicit servername, TLS uses the one of the Host header.
      headers: { 'user-agent': 'dpa', ...input.headers, host: url.host, 'accept-encoding': 'identity' },
      agent: agent ?? false,
      ca,
      signal,
    });
    if (input.connect_timeout_ms !== undefined) limitConnecting(request, input.connect_timeout_ms, secure);
    request.once('response', resolve);
    request.on('error', (error) => reject(unreachable(url.host, error)));
    request.end(input.body);
  });
}

/** The error code is one of a connection that was not established, so that the next address is tried. */
function limitConnecting(request: ClientRequest, timeout_ms: number, secure: boolean): void {
  const fail = () => request.destroy(Object.assign(new Error('connecting took too long'), { code: 'EHOSTUNREACH' }));
  const timer = setTimeout(fail, timeout_ms);
  const stop = () => clearTimeout(timer);
  request.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', stop));
  request.once('close', stop);
}

/** Whether the body is uncompressed. */
export function isPlain(response: IncomingMessage): boolean {
  return (response.headers['content-encoding'] ?? 'identity') === 'identity';
}

export function unreachable(host: string, cause: unknown): EgressError {
  return new EgressError('unreachable', `${host} cannot be reached`, { cause });
}

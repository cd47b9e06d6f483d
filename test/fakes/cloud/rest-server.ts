import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RestCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** JSON or a form, by its content type. */
  body: Record<string, unknown>;
}

export interface RestReply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent instead of `body`. */
  text?: string;
}

/** What goes wrong with the next calls of an operation. */
export interface Trouble {
  operation: string;
  /** Sent instead of the real response. `hang`: none. `drop`: closes the connection. `cut`: ends in the middle. */
  how: 'hang' | 'drop' | 'cut' | RestReply;
  /** Number of calls; 1 unless given. */
  times?: number;
  /** Decides for each call; every call unless given. */
  when?: () => boolean;
}

/** An operation of the API: its name, as an adapter declares it, and what it does. */
export interface Operation {
  /** Service and operation, such as `cloudasset searchAllResources`. */
  name: string;
  answer(call: RestCall): RestReply | Promise<RestReply>;
}

export interface RestServer {
  url: string;
  /** Names of all operations that were called, in order; `unknown` with the path if there is none. */
  calls: string[];
  requests: RestCall[];
  troubles: Trouble[];
  /** Added to all responses. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

/** A server with the operations that `find` returns, and with planned troubles. */
export async function startRestServer(find: (call: RestCall) => Operation | undefined): Promise<RestServer> {
  const started: RestServer = { url: '', calls: [], requests: [], troubles: [], headers: {}, close };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    const operation = find(call);
    const name = operation?.name ?? `unknown ${call.method} ${call.path}`;
    started.calls.push(name);
    started.requests.push(call);
    const how = takeTrouble(started.troubles, name);
    if (how === 'hang') return;
    if (how === 'drop') return void request.socket.destroy();
    const reply =
      typeof how === 'object' ? how : ((await operation?.answer(call)) ?? { status: 404, text: 'Not Found' });
    send(response, reply, { headers: started.headers, cut: how === 'cut' });
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  return started;
}

function takeTrouble(troubles: Trouble[], name: string): Trouble['how'] | undefined {
  const index = troubles.findIndex(({ operation, when }) => operation === name && when?.() !== false);
  const trouble = troubles[index];
  if (trouble === undefined) return undefined;
  if ((trouble.times ?? 1) > 1) trouble.times = trouble.times! - 1;
  else troubles.splice(index, 1);
  return trouble.how;
}

async function readCall(request: IncomingMessage): Promise<RestCall> {
  const { method = 'GET', headers } = request;
  const url = new URL(request.url ?? '/', 'http://fake');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const is_form = headers['content-type'] === 'application/x-www-form-urlencoded';
  const body = is_form ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? {} : JSON.parse(text);
  return { method, path: url.pathname, query: url.searchParams, headers, body };
}

interface SendOptions {
  headers: Record<string, string>;
  cut: boolean;
}

function send(response: ServerResponse, reply: RestReply, { headers, cut }: SendOptions): void {
  const text = reply.text ?? JSON.stringify(reply.body ?? {});
  response.writeHead(reply.status, { ...headers, 'content-type': 'application/json; charset=UTF-8', ...reply.headers });
  if (!cut) return void response.end(text);
  // Announced as complete, then closed.
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}

/** The page that a proxy sends instead of an API. */
export const HTML_PAGE: RestReply = {
  status: 200,
  text: '<!DOCTYPE html><html><body>Sign in to the guest network</body></html>',
  headers: { 'content-type': 'text/html' },
};

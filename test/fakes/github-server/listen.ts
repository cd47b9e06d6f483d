import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { describeCaller, identify } from './access.ts';
import { Refusal, type Reply, type Who } from './http.ts';
import { createLimits, SecondaryLimitRefusal, takeFault, toFaultReply } from './limits.ts';
import { route } from './router.ts';
import type { GithubState } from './state.ts';

/** The REST API under `/` and, as on Enterprise Server, under `/api/v3`. */
export function createApiServer(github: GithubState): Server {
  const limits = createLimits(github);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const url = new URL(request.url ?? '/', github.url);
    const path = url.pathname.replace(/^\/api\/v3(?=\/)/, '');
    const raw = await read(request);
    const fault = takeFault(github, method, path);
    const recorded = {
      method,
      path,
      query: Object.fromEntries(url.searchParams),
      at: github.now(),
      who: 'nobody',
      status: 0,
    };
    github.requests.push(recorded);
    if (fault?.how === 'hang') return;
    if (fault?.how === 'drop') return void request.socket.destroy();
    const reply =
      (fault && toFaultReply(fault)) ??
      respond(() => {
        const who = identify(github, request.headers.authorization);
        recorded.who = describeCaller(who);
        limits.take(method);
        return handle(method, path, url.searchParams, who, raw);
      });
    recorded.status = reply.status;
    if (fault?.how === 'drop-after') return void request.socket.destroy();
    send(response, reply, limits.headers());
  }

  function handle(method: string, path: string, query: URLSearchParams, who: Who, raw: Buffer): Reply {
    return route(method, path, { github, who, query, body: parse(raw) });
  }

  return createServer((request, response) => void answer(request, response));
}

/** The storage of artifacts: accepts only signed links, and rejects requests with any other credential. */
export function createStorageServer(github: GithubState, downloads: StorageRequest[]): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', github.storage_url);
    downloads.push({ path: url.pathname, headers: request.headers });
    const fault = takeFault(github, 'GET', `storage:${url.pathname}`);
    if (fault?.how === 'hang') return;
    if (fault?.how === 'drop') return void request.socket.destroy();
    const id = Number(/^\/artifacts\/(\d+)\.zip$/.exec(url.pathname)?.[1]);
    const artifact = [...github.repos.values()].flatMap((repo) => repo.artifacts).find((one) => one.id === id);
    const valid = url.searchParams.get('sig') === `signed-${id}` && Number(url.searchParams.get('se')) > github.now();
    const status =
      request.headers.authorization !== undefined ? 400 : !valid ? 403 : artifact === undefined ? 404 : 200;
    if (artifact === undefined || status !== 200) return void response.writeHead(status).end();
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': artifact.zip.length });
    response.end(artifact.zip);
  });
}

export interface StorageRequest {
  path: string;
  headers: IncomingMessage['headers'];
}

/** The origin of the server. A server that is not closed does not keep the process alive. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Stops a server and closes its connections. */
export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

function respond(handle: () => Reply): Reply {
  try {
    return handle();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const wait = error instanceof SecondaryLimitRefusal ? error.retry_after : null;
    return { status: error.status, body: error.body, ...(wait !== null && { headers: { 'retry-after': `${wait}` } }) };
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply, more: Record<string, string>): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { ...more, 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(text);
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parse(raw: Buffer): Record<string, unknown> {
  if (raw.length === 0) return {};
  try {
    return JSON.parse(raw.toString());
  } catch {
    throw new Refusal(400, 'Problems parsing JSON');
  }
}

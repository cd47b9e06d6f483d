import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authenticateToken } from './gitlab-server/access.ts';
import { createActions, type GitlabActions } from './gitlab-server/actions.ts';
import { ApiError, matchRoute, type Reply, readBody, send } from './gitlab-server/http.ts';
import { CI_ROUTES } from './gitlab-server/routes-ci.ts';
import { ISSUE_ROUTES } from './gitlab-server/routes-issues.ts';
import { NOTE_ROUTES } from './gitlab-server/routes-notes.ts';
import { PROJECT_ROUTES } from './gitlab-server/routes-project.ts';
import { STATUS_ROUTES } from './gitlab-server/routes-statuses.ts';
import type { Fault, GitlabState, RecordedRequest } from './gitlab-server/types.ts';

const ROUTES = [...PROJECT_ROUTES, ...CI_ROUTES, ...NOTE_ROUTES, ...ISSUE_ROUTES, ...STATUS_ROUTES];
const API = '/api/v4/';

export interface GitlabServer extends GitlabActions {
  /** The origin, as in `provider_base_url`. */
  url: string;
  state: GitlabState;
  /** Requests to the object storage. */
  storage_requests: RecordedRequest[];
  /** Configures the next failures, in this order. */
  fail(...faults: Fault[]): void;
  close(): Promise<void>;
}

/** A fake GitLab on loopback that keeps its state; its object storage listens on another origin. */
export async function startGitlabServer(): Promise<GitlabServer> {
  const state = createState();
  const storage_requests: RecordedRequest[] = [];
  const [api, storage] = await Promise.all([
    listen((request, response) => answer(state, request, response)),
    listen((request, response) => answerStorage(state, storage_requests, request, response)),
  ]);
  state.url = buildUrl(api);
  state.storage_url = buildUrl(storage);
  return {
    ...createActions(state),
    url: state.url,
    state,
    storage_requests,
    fail: (...faults) => state.faults.push(...faults),
    async close() {
      await Promise.all([api, storage].map(stop));
    },
  };
}

function createState(): GitlabState {
  return {
    url: '',
    users: [],
    tokens: [],
    projects: [],
    faults: [],
    requests: [],
    hooks: [],
    artifacts: 'proxied',
    storage_url: '',
    refuses_same_status: true,
    spam: null,
  };
}

async function answer(state: GitlabState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const recorded = await recordRequest(request, state.requests);
  const fault = takeFault(state, recorded);
  const reply = fault === undefined || fault.after === true ? replyTo(state, request, recorded) : undefined;
  if (fault?.status === 0) response.destroy();
  else if (fault !== undefined)
    send(response, { ...fault, body: fault.body ?? { message: `${fault.status} on demand` } });
  else if (reply !== undefined) send(response, reply);
}

async function recordRequest(request: IncomingMessage, into: RecordedRequest[]): Promise<RecordedRequest> {
  const { method = '', url: path = '', headers } = request;
  const recorded = { method, path, headers, body: await readBody(request) };
  into.push(recorded);
  return recorded;
}

function takeFault(state: GitlabState, { method, path }: RecordedRequest): Fault | undefined {
  const fault = state.faults.find(({ match }) => match?.test(`${method} ${path}`) ?? true);
  if (fault === undefined) return undefined;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) state.faults.splice(state.faults.indexOf(fault), 1);
  return fault;
}

function replyTo(state: GitlabState, request: IncomingMessage, { method, path, body }: RecordedRequest): Reply {
  try {
    const [plain = '', query = ''] = path.split('?');
    if (!plain.startsWith(API)) return { status: 404, body: '<html>404</html>' };
    const token = authenticateToken(state, request.headers, method);
    const parsed: Record<string, unknown> = body === '' ? {} : JSON.parse(body);
    for (const route of ROUTES) {
      const params = matchRoute(route, method, plain.slice(API.length));
      if (params === undefined) continue;
      const call = {
        state,
        token,
        user: token.user,
        params,
        query: new URLSearchParams(query),
        body: parsed,
        path: plain,
      };
      return route.handler(call);
    }
    return { status: 404, body: { error: '404 Not Found' } };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    throw error;
  }
}

/** Like S3: a signed URL suffices, and other credentials are rejected. */
async function answerStorage(
  state: GitlabState,
  storage_requests: RecordedRequest[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, headers } = await recordRequest(request, storage_requests);
  if (headers['authorization'] !== undefined || headers['private-token'] !== undefined) {
    return send(response, { status: 400, body: 'Only one auth mechanism allowed' });
  }
  const id = /^\/artifacts\/(\d+)\/artifacts\.zip\?X-Amz-Signature=\1$/.exec(path)?.[1];
  const jobs = state.projects.flatMap(({ pipelines }) => pipelines.flatMap((pipeline) => pipeline.jobs));
  const body = jobs.find((job) => String(job.id) === id)?.archive ?? null;
  send(response, body === null ? { status: 403, body: 'SignatureDoesNotMatch' } : { status: 200, body });
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function buildUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

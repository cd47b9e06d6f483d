import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { JsonText } from '../../server/contract/json-text.ts';
import type { Handlers } from '../../server/contract/operation.ts';
import {
  createHttp,
  createMemoryLimiter,
  createServer,
  type HttpDeps,
  type IdempotencyStore,
} from '../../server/http/index.ts';
import { Unauthenticated } from '../../server/lib/errors.ts';
import { ROLES } from '../../server/lib/principal.ts';
import { loadCheckedContract } from '../helpers/contract.ts';
import { exampleHandlers, inNoDatabase, type Transact } from './example-handlers.ts';

export const ORG = '019b7a10-0000-7000-8000-000000000003';
export const OTHER_ORG = '019b7a10-0000-7000-8000-0000000000ff';
export const JOB = '019b7a10-0000-7000-8000-000000000004';
export const SCAN = '019b7a10-0000-7000-8000-000000000005';
export const API = '/api/v2';
export const { document } = await loadCheckedContract();

/**
 * Tokens are the role in ORG; `outsider` is not a member of any organization, and `root` is a platform admin without
 * memberships. `key:<role>` is an API key of ORG, with the scopes after a slash: `key:owner/read,scans:write`. The key
 * of a `lapsed` owner has no role.
 */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

export const examples = {
  org: {
    id: ORG,
    slug: 'acme',
    display_name: 'Acme',
    plan: 'free' as const,
    features: [],
    created_at: '2026-01-02T03:04:05.678Z',
  },
  run: {
    id: SCAN,
    org_id: ORG,
    cloud_account_id: null,
    provider: null,
    scan_type: 'manual' as const,
    status: 'pending' as const,
    status_kind: null,
    drift_status: null,
    narrative_status: 'none' as const,
    resource_count: null,
    new_count: null,
    changed_count: null,
    missing_count: null,
    scan_errors: [],
    repo_owner: null,
    repo_name: null,
    repo_url: null,
    pr_number: null,
    branch: null,
    commit_sha: null,
    created_at: '2026-01-02T03:04:05.678Z',
    started_at: null,
    finished_at: null,
  },
};

/** Small handlers that match the contract. */
export function testHandlers(transact: Transact = inNoDatabase): Handlers {
  return {
    ...exampleHandlers(document.api, transact),
    getMe: async ({ principal }) => ({
      status: 200,
      body: {
        user: { ...principal.user, created_at: '2026-01-02T03:04:05.678Z' },
        auth: { type: principal.credential, key_id: null, org_id: null, scopes: null },
        memberships: [],
      },
    }),
    listOrgs: async ({ query: { limit, offset } }) => ({
      status: 200,
      body: { orgs: [{ ...examples.org, role: 'owner' }], total: 1, limit, offset },
    }),
    createOrg: ({ body, once }) =>
      once(
        () => ({
          status: 201,
          body: { ...examples.org, ...body },
          headers: { Location: `${API}/orgs/${ORG}` },
        }),
        (keep) => transact((trx) => keep(trx, undefined)),
      ),
    getOrg: async ({ org }) => ({ status: 200, body: { ...examples.org, id: org.id } }),
    analyzePlan: ({ once }) =>
      once(
        () => ({
          status: 202,
          body: { job_id: JOB, scan_run_id: SCAN, status: 'pending' },
          headers: { Location: `${API}/orgs/${ORG}/llm-jobs/${JOB}`, 'Retry-After': 5 },
        }),
        (keep) => transact((trx) => keep(trx, undefined)),
      ),
    getLlmJob: async ({ path }) => ({
      status: 200,
      body: new JsonText(
        `{"job_id":"${path.job_id}","kind":"analyze","status":"pending","created_at":"2026-01-02T03:04:05.678Z","finished_at":null}`,
      ),
      headers: { 'Retry-After': 5 },
    }),
    listScans: async ({ query: { limit, offset } }) => ({
      status: 200,
      body: { scans: [{ ...examples.run, job_id: JOB, risk_level: null }], total: 120, limit, offset },
    }),
    getScan: async () => ({ status: 200, body: { ...examples.run, result_json: null } }),
  };
}

export interface Harness {
  url: string;
  server: Server;
  lines: Record<string, unknown>[];
  send(method: string, path: string, options?: SendOptions): Promise<Answered>;
  /** Writes raw bytes, and collects the response until the connection ends. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

interface SendOptions {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  json?: unknown;
  /** No Content-Length: the body is sent in chunks. */
  chunked?: boolean;
}

export interface Answered {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
}

/** Stores no response, as if every key were new. */
export const forgetful: IdempotencyStore = {
  claim: async () => ({ state: 'claimed', id: 'any' }),
  renew_every_ms: 60_000,
  renew: async () => undefined,
  keep: async () => true,
  keepRefusal: async () => undefined,
  release: async () => undefined,
};

const PEOPLE: string[] = [...ROLES, 'outsider', 'root', 'lapsed'];

/** The service over HTTP with small handlers; its responses are validated against the contract. */
export async function startHttp(changes: Partial<HttpDeps> = {}): Promise<Harness> {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = createHttp({
    contract: await loadCheckedContract(),
    handlers: testHandlers(),
    authenticate: async ({ kind, token }) => {
      const [name = '', scopes = ''] = token.replace(/^key:/, '').split('/');
      if (!PEOPLE.includes(name)) throw new Unauthenticated('the token is not valid', 'invalid_token');
      const by_key = kind === 'api_key';
      return {
        user: {
          id: SCAN,
          email: `${name}@example.com`,
          display_name: name,
          is_platform_admin: name === 'root' && !by_key,
        },
        credential: by_key ? 'api_key' : 'oidc',
        credential_id: `${kind}:${name}`,
        key: by_key ? { id: JOB, kind: 'standard', org_id: ORG, scopes: scopes.split(',') } : null,
      };
    },
    findOrg: async ({ user, key }, id) => {
      const role = ROLES.find((name) => name === user.display_name) ?? null;
      return id === ORG && (role !== null || key !== null) ? { id, role } : undefined;
    },
    health: { phase: () => 'serving', checks: async () => ({ postgres: 'ok' }) },
    rateLimiter: createMemoryLimiter(),
    idempotency: forgetful,
    config: testConfig(),
    log,
    metrics: new Registry(),
    ...changes,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    lines,
    send: (method, path, options) => send(port, method, path, options),
    raw: (bytes) => raw(port, bytes),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function testConfig(changes: Partial<HttpDeps['config']> = {}): HttpDeps['config'] {
  const plenty = { burst: 1_000_000, per_minute: 1_000_000 };
  return {
    cors_origins: ['https://app.example.com'],
    trusted_proxies: 0,
    internal_port: null,
    rate_limits: { credential: plenty, org: plenty, ip: plenty },
    ...changes,
  };
}

function send(port: number, method: string, path: string, options: SendOptions = {}): Promise<Answered> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const headers: Record<string, string | string[]> = { ...options.headers };
  if (body !== undefined && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
  if (options.chunked === true) headers['transfer-encoding'] = 'chunked';
  else if (body !== undefined) headers['content-length'] ??= String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const req = httpRequest({ port, method, path, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const raw = Buffer.concat(chunks);
        const text = (res.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
        const is_json = res.headers['content-type']?.startsWith('application/json') && text !== '';
        const json = is_json ? JSON.parse(text) : undefined;
        resolve({ status: res.statusCode ?? 0, headers: res.headers as Answered['headers'], text, json });
      });
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

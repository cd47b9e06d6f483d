import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { loadConfig } from '../../server/config/index.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { createLogger } from '../../server/log.ts';
import { type Service, type ServiceOptions, type ServiceRole, startService } from '../../server/main.ts';
import { createFakeClouds, type FakeClouds, toClouds } from '../fakes/cloud/adapter.ts';
import { loadCheckedContract } from './contract.ts';
import { openTestDatabase } from './database.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or text if the response is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the shape of the response
  body: any;
}

export interface Caller {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestService {
  url: string;
  data_dir: string;
  /** As in DATABASE_URL. */
  database_url: string;
  /** Bypasses row-level security: prepares and inspects data for tests. */
  admin_db: Knex;
  /** A person signed in with the development issuer; at the first instance unless another URL is given. */
  signIn(name: string, url?: string): Promise<Caller>;
  /** A caller with these headers. */
  withHeaders(headers: Record<string, string>, url?: string): Caller;
  /** A caller without a credential. */
  anonymous: Caller;
  /** Starts another instance of the service on the same stores, with its own settings on top of the shared ones. */
  startProcess(role: ServiceRole, env?: Record<string, string>): Promise<Service>;
  /** Waits until the job has ended. */
  waitForJob(caller: Caller, job_path: string): Promise<Answer>;
  /** The clouds of all instances. */
  clouds: FakeClouds;
  /** The log lines of the service as objects. */
  log_lines: Record<string, unknown>[];
  close(): Promise<void>;
}

/** The whole service with its own database; every response is validated against the contract. */
export async function startTestService(
  env: Record<string, string> = {},
  role: ServiceRole = 'all',
  { adapters, clouds: given_clouds }: Pick<ServiceOptions, 'adapters' | 'clouds'> = {},
): Promise<TestService> {
  const given = env['DATA_DIR'];
  const [database, data_dir] = await Promise.all([
    openTestDatabase(),
    given ?? mkdtemp(join(tmpdir(), 'dpa-service-')),
  ]);
  const settings = { DATABASE_URL: database.url, DATA_DIR: data_dir, PORT: '0', PLAN_THREADS: '1', ...env };
  const log_lines: Record<string, unknown>[] = [];
  const log = createLogger({ log_level: 'info' }, { write: (line) => void log_lines.push(JSON.parse(line)) });
  const clouds = createFakeClouds();
  const services: Service[] = [];
  const start = async (one: ServiceRole, own: Record<string, string> = {}) => {
    const config = loadConfig({ ...settings, ...own });
    const options = { log, contract: await loadCheckedContract(), clouds: given_clouds ?? toClouds(clouds), adapters };
    const service = await startService(config, { role: one, ...options });
    services.push(service);
    return service;
  };
  const { url } = await start(role);

  return {
    url: url ?? '',
    data_dir,
    database_url: database.url,
    admin_db: database.admin_db,
    clouds,
    log_lines,
    anonymous: createCaller(url ?? '', {}),
    withHeaders: (headers, at = url ?? '') => createCaller(at, headers),
    async signIn(name, at = url ?? '') {
      const token = await signDevToken({ data_dir, email: `${name}@example.com`, name, production: false });
      return createCaller(at, { authorization: `Bearer ${token}` });
    },
    startProcess: start,
    async waitForJob(caller, job_path) {
      for (let tries = 0; tries < 4_000; tries += 1) {
        const answer = await caller.get(job_path);
        if (answer.status !== 200 || answer.body.status !== 'pending') return answer;
        await wait(25);
      }
      throw new Error(`${job_path} did not end within 100 seconds`);
    },
    async close() {
      for (const service of services) await service.stop();
      await database.close();
      await rm(data_dir, { recursive: true });
    },
  };
}

function createCaller(url: string, credential: Record<string, string>): Caller {
  const caller: Caller = {
    get: (path, headers = {}) => send(url + path, { headers: { ...credential, ...headers } }),
    post: (path, body, headers = {}) => caller.send('POST', path, body, headers),
    send(method, path, body, headers = {}) {
      const typed = body === undefined ? {} : { 'content-type': 'application/json' };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return send(url + path, {
        method,
        headers: { ...typed, ...credential, ...headers },
        ...(body === undefined ? {} : { body: text }),
      });
    },
  };
  return caller;
}

async function send(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A plan fixture, as text. */
export function planText(name: string): Promise<string> {
  return readFile(join(packageRoot(), 'test/fixtures/plans', name), 'utf8');
}

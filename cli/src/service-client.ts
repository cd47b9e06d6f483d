import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanAnalysis } from '../../engine/index.ts';
import { Failure } from './failure.ts';

/** Quicker than Retry-After asks: this client is the only one of its service. */
const POLL_MS = 200;
const GIVE_UP_MS = 120_000;

interface Reply {
  status: number;
  headers: Headers;
  body: unknown;
}

interface Job {
  status: 'pending' | 'done' | 'error';
  result?: PlanAnalysis;
  error?: string;
}

/** The few calls that the demo makes, as any other client of the service would make them. */
export function createServiceClient(base: string, token: string) {
  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply = { status: response.status, headers: response.headers, body: await response.json() };
    if (!response.ok) throw new Failure(explain(method, path, reply));
    return reply;
  }

  /** The org of that slug, made if there is none yet. */
  async function ensureOrg(slug: string, display_name: string): Promise<string> {
    const { orgs } = (await call('GET', '/api/v2/orgs')).body as { orgs: { id: string; slug: string }[] };
    const org =
      orgs.find((one) => one.slug === slug) ?? (await call('POST', '/api/v2/orgs', { slug, display_name })).body;
    return (org as { id: string }).id;
  }

  /** Submits the plan and polls its job to the end. */
  async function analyze(orgId: string, plan_json: string): Promise<PlanAnalysis> {
    const { headers } = await call('POST', `/api/v2/orgs/${orgId}/analyze`, { plan_json });
    const location = headers.get('location') ?? '';
    const deadline = Date.now() + GIVE_UP_MS;
    while (Date.now() < deadline) {
      const job = (await call('GET', location)).body as Job;
      if (job.status === 'done' && job.result !== undefined) return job.result;
      if (job.status === 'error') throw new Failure(`the analysis failed: ${job.error}`);
      await sleep(POLL_MS);
    }
    throw new Failure(`the analysis did not end within ${GIVE_UP_MS / 1000} seconds`);
  }

  return { ensureOrg, analyze };
}

function explain(method: string, path: string, { status, headers, body }: Reply): string {
  const message = (body as { error?: string } | null)?.error ?? 'no explanation';
  const wait = headers.get('retry-after');
  const hint = status === 429 && wait !== null ? `; try again in ${Math.ceil(Number(wait) / 60)} minutes` : '';
  return `${method} ${path} was answered with ${status}: ${message}${hint}`;
}

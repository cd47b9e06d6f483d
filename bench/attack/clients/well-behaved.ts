/** A client process: an organization that polls, lists, submits small plans and reads results at a steady low rate. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { generatePlanText } from '../../plan/plan-generator.ts';
import { type Client, createClient } from '../client.ts';
import type { Command, Target } from './target.ts';

const READ_EVERY_MS = 50;
const SUBMIT_EVERY_MS = 4_000;
const DELIVER_EVERY_MS = 2_000;
const SOCKETS = 8;
const END_TIMEOUT_MS = 60_000;

export interface PhaseTimes {
  /** Response times in milliseconds. */
  reads: number[];
  submits: number[];
  /** From the request that submits a plan to the poll that finds its result. */
  analyses: number[];
  /** Unsuccessful responses, by status or error. */
  refused: string[];
}

export interface WellBehavedReport {
  phases: Record<string, PhaseTimes>;
  accepted_jobs: number;
  /** Accepted jobs without a result. */
  lost_jobs: string[];
  accepted_deliveries: number;
  lost_deliveries: string[];
}

const phases: Record<string, PhaseTimes> = {};
let phase = 'start';
let running = true;
const jobs: string[] = [];
const unfinished = new Set<string>();
const deliveries: string[] = [];

process.on('message', (command: Command) => {
  if ('start' in command) void run(command.start);
  else if ('phase' in command) phase = command.phase ?? 'between';
  else running = false;
});

async function run(target: Target): Promise<void> {
  const client = createClient(target.url, SOCKETS);
  await Promise.all([readSteadily(client, target), submitSteadily(client, target), deliverSteadily(client, target)]);
  const report: WellBehavedReport = {
    phases,
    accepted_jobs: jobs.length,
    lost_jobs: await findUnfinished(client, target),
    accepted_deliveries: deliveries.length,
    lost_deliveries: await findLostDeliveries(client, target),
  };
  client.close();
  process.send?.(report, () => process.disconnect());
}

function ensurePhaseTimes(): PhaseTimes {
  const times = phases[phase] ?? { reads: [], submits: [], analyses: [], refused: [] };
  phases[phase] = times;
  return times;
}

/** Starts a call at a fixed rate, whether or not the previous call has finished. */
async function runSteadily(every_ms: number, call: (n: number) => Promise<void>): Promise<void> {
  const open = new Set<Promise<void>>();
  for (let n = 0; running; n += 1) {
    const next = wait(every_ms);
    const one: Promise<void> = call(n)
      .catch((error: unknown) => void ensurePhaseTimes().refused.push(String(error)))
      .finally(() => open.delete(one));
    open.add(one);
    await next;
  }
  await Promise.all(open);
}

function readSteadily(client: Client, { headers, orgs }: Target): Promise<void> {
  const [org] = orgs;
  const paths = ['', '/scans?limit=20', '/limits', '/risk-policy', '/custom-rules', '/plan-noise'];
  return runSteadily(READ_EVERY_MS, async (n) => {
    const job = jobs.at(-1);
    const path = n % 4 === 0 && job !== undefined ? job : `/api/v2/orgs/${org}${paths[n % paths.length]}`;
    const times = ensurePhaseTimes();
    const begun = performance.now();
    const { status } = await client.send({ method: 'GET', path, headers });
    times.reads.push(performance.now() - begun);
    if (status !== 200) times.refused.push(`GET ${status}`);
  });
}

function submitSteadily(client: Client, { headers, orgs }: Target): Promise<void> {
  const body = Buffer.from(JSON.stringify({ plan_json: generatePlanText(5) }));
  return runSteadily(SUBMIT_EVERY_MS, async (n) => {
    const path = `/api/v2/orgs/${orgs[n % orgs.length]}/analyze`;
    const times = ensurePhaseTimes();
    const begun = performance.now();
    const typed = { ...headers, 'content-type': 'application/json' };
    const { status, text } = await client.send({ method: 'POST', path, headers: typed, body });
    times.submits.push(performance.now() - begun);
    if (status !== 202) {
      times.refused.push(`POST ${status}`);
      return;
    }
    const job = `${path.replace('/analyze', '/llm-jobs')}/${JSON.parse(text).job_id}`;
    jobs.push(job);
    unfinished.add(job);
    await awaitResult(client, headers, job);
    times.analyses.push(performance.now() - begun);
  });
}

async function awaitResult(client: Client, headers: Record<string, string>, path: string): Promise<void> {
  for (const end = Date.now() + END_TIMEOUT_MS; Date.now() < end; await wait(200)) {
    if (await hasResult(client, headers, path)) return;
  }
  throw new Error('an analysis did not end within a minute');
}

async function hasResult(client: Client, headers: Record<string, string>, path: string): Promise<boolean> {
  const { status, text } = await client.send({ method: 'GET', path, headers });
  if (status !== 200) return false;
  const { status: state, result } = JSON.parse(text);
  const is_done = state === 'done' && result !== null && result !== undefined;
  if (is_done) unfinished.delete(path);
  return is_done;
}

/** Jobs without a result a minute after the last attack. */
async function findUnfinished(client: Client, { headers }: Target): Promise<string[]> {
  for (const end = Date.now() + END_TIMEOUT_MS; unfinished.size > 0 && Date.now() < end; await wait(500)) {
    for (const path of unfinished) await hasResult(client, headers, path).catch(() => false);
  }
  return [...unfinished];
}

function deliverSteadily(client: Client, { webhook }: Target): Promise<void> {
  return runSteadily(DELIVER_EVERY_MS, async () => {
    const body = Buffer.from('{"action":"deleted","comment":{"id":1}}');
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issue_comment',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', webhook.secret).update(body).digest('hex')}`,
    };
    const path = `/api/v2/webhooks/github/${webhook.config_id}`;
    const times = ensurePhaseTimes();
    const { status, text } = await client.send({ method: 'POST', path, headers, body });
    if (status === 202) deliveries.push(JSON.parse(text).delivery_id);
    else times.refused.push(`delivery ${status}`);
  });
}

async function findLostDeliveries(client: Client, { headers, orgs, webhook }: Target): Promise<string[]> {
  const lost = new Set(deliveries);
  for (let offset = 0; ; offset += 200) {
    const path = `/api/v2/orgs/${orgs[0]}/webhook-configs/${webhook.config_id}/deliveries?limit=200&offset=${offset}`;
    const { text } = await client.send({ method: 'GET', path, headers });
    const page = JSON.parse(text) as { deliveries?: { id: string }[] };
    for (const { id } of page.deliveries ?? []) lost.delete(id);
    if ((page.deliveries ?? []).length < 200) return [...lost];
  }
}

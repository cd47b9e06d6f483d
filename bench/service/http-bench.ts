import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { CLI, readProcessCpu, type ServerProcess, startServer } from '../lib/process.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { generatePlanText } from '../plan/plan-generator.ts';

const ROUNDS = 10;
const BODY_BYTES = 5_000_000;
const GET_EVERY_MS = 5;

interface Target {
  server: ServerProcess;
  post(): Promise<void>;
}

/** H1 and H2: CPU time of the API process for a 5 MB analyze request, and its effect on other requests. */
export async function benchHttp(): Promise<BenchRow[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'dpa-bench-'));
  const servers: ServerProcess[] = [];
  const start = async (args: string[], env?: Readonly<Record<string, string | undefined>>) => {
    const server = await startServer(args, env);
    servers.push(server);
    return server;
  };
  try {
    const body = JSON.stringify({ plan_json: buildPlanOfSize(BODY_BYTES) });
    const limits = join(packageRoot(), 'dist/bench/service/http-limits.js');
    const env = { ...process.env, LOG_LEVEL: 'warn' };
    const dpa = await start([CLI, 'serve', '--port', '0', '--role', 'api', '--data-dir', data_dir], env);
    const targets = {
      dpa: { server: dpa, post: await createAnalyzer(dpa, data_dir, body) },
      json: createLimitTarget(await start([limits, 'json']), body),
      collect: createLimitTarget(await start([limits, 'collect']), body),
    };
    return [await measureCpu(targets), await measureStall(targets)];
  } finally {
    for (const server of servers) await server.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

async function measureCpu({ dpa, json }: { dpa: Target; json: Target }): Promise<BenchRow> {
  // Both are warmed up; then all rounds are added up, because the kernel counts CPU time in steps of 10 ms.
  for (const target of [json, dpa]) await measurePostCpu(target);
  let [ours, theirs] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs += await measurePostCpu(json);
    ours += await measurePostCpu(dpa);
  }
  const ratio = ours / theirs;
  const note = `${(ours / ROUNDS).toFixed(0)} ms against ${(theirs / ROUNDS).toFixed(0)} ms CPU`;
  return toRatioRow({
    id: 'H1',
    what: 'POST /analyze 5 MB → 202',
    ratio,
    limit: 2,
    comparison: 'express.json',
    note,
  });
}

async function measurePostCpu({ server, post }: Target): Promise<number> {
  const before = readProcessCpu(server.pid);
  await post();
  await wait(50);
  return readProcessCpu(server.pid) - before;
}

async function measureStall({ dpa, collect }: { dpa: Target; collect: Target }): Promise<BenchRow> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await measureLongestGet(collect));
    ours.push(await measureLongestGet(dpa));
  }
  const ratio = computeMedian(ours) / computeMedian(theirs);
  const note = `longest GET ${computeMedian(ours).toFixed(0)} ms against ${computeMedian(theirs).toFixed(0)} ms`;
  return toRatioRow({
    id: 'H2',
    what: 'stall while a 5 MB request arrives',
    ratio,
    limit: 2,
    comparison: 'raw collect',
    note,
  });
}

/** The longest response time of a small request while a plan is received. */
async function measureLongestGet({ server, post }: Target): Promise<number> {
  let longest = 0;
  let posting = true;
  const posted = post().finally(() => {
    posting = false;
  });
  while (posting) {
    const begun = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - begun);
    await wait(GET_EVERY_MS);
  }
  await posted;
  return longest;
}

function createLimitTarget(server: ServerProcess, body: string): Target {
  return { server, post: () => send(server.url, body, {}) };
}

/** Submits to a new organization: it may submit 30 plans per hour, and both figures need 21. */
async function createAnalyzer(server: ServerProcess, data_dir: string, body: string): Promise<() => Promise<void>> {
  const token = await signDevToken({ data_dir, email: 'bench@example.com', production: false });
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}/api/v2/orgs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ slug: 'bench', display_name: 'Bench' }),
  });
  const { id } = (await response.json()) as { id: string };
  return () => send(`${server.url}/api/v2/orgs/${id}/analyze`, body, headers);
}

async function send(url: string, body: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`POST ${url} answered ${response.status}: ${text.slice(0, 300)}`);
}

/** A plan whose request body is slightly smaller than the given size. */
function buildPlanOfSize(bytes: number): string {
  for (let resources = 1_000; ; resources -= 50) {
    const plan = generatePlanText(resources);
    if (JSON.stringify({ plan_json: plan }).length <= bytes) return plan;
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { createLogger } from '../../server/log.ts';
import { CLI, readProcessCpu, type ServerProcess, startServer } from '../lib/process.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';

const ROUNDS = 7;
const REQUESTS = 3_000;
const AT_ONCE = 8;
const GOAL = 2;
/** The benchmark sends more requests than a caller may. */
const UNLIMITED = { RATE_LIMIT_BURST: '1000000', RATE_LIMIT_PER_CREDENTIAL: '1000000', RATE_LIMIT_PER_ORG: '1000000' };

/** H4: the cost of authentication, tenancy, validation and logging of a read, compared with Express and one SELECT. */
export async function benchOverhead(): Promise<BenchRow[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'dpa-bench-overhead-'));
  const database = await openEmbeddedDatabase({ data_dir, log: createLogger({ log_level: 'error' }) });
  const servers: ServerProcess[] = [];
  const start = async (args: string[], env: Record<string, string>) => {
    const server = await startServer(args, { ...process.env, LOG_LEVEL: 'warn', DATABASE_URL: database.url, ...env });
    servers.push(server);
    return server;
  };
  try {
    const ours = await start([CLI, 'serve', '--port', '0', '--role', 'api', '--data-dir', data_dir], UNLIMITED);
    const token = await signDevToken({ data_dir, email: 'bench@example.com', production: false });
    const headers = { authorization: `Bearer ${token}` };
    const id = await makeOrg(ours.url, headers);
    const bare = await start([join(packageRoot(), 'dist/bench/service/http-limits.js'), 'select'], {});
    return [
      await measure(
        () => measureCpuPerRequest(ours, `${ours.url}/api/v2/orgs/${id}`, headers),
        () => measureCpuPerRequest(bare, `${bare.url}/orgs/${id}`, {}),
      ),
    ];
  } finally {
    for (const server of servers) await server.stop();
    await database.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

async function makeOrg(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/api/v2/orgs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ slug: 'bench', display_name: 'Bench' }),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

async function measure(ours: () => Promise<number>, bare: () => Promise<number>): Promise<BenchRow> {
  await ours();
  await bare();
  const [mine, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await bare());
    mine.push(await ours());
  }
  const ratio = computeMedian(mine) / computeMedian(theirs);
  return toRatioRow({
    id: 'H4',
    what: 'authenticated GET of an organization, CPU of the API',
    ratio,
    limit: GOAL,
    comparison: 'express with one select',
    note: `${(computeMedian(mine) * 1000).toFixed(0)} µs against ${(computeMedian(theirs) * 1000).toFixed(0)} µs a request`,
  });
}

/** @returns CPU time in milliseconds */
async function measureCpuPerRequest(
  server: ServerProcess,
  url: string,
  headers: Record<string, string>,
): Promise<number> {
  const before = readProcessCpu(server.pid);
  const lane = async () => {
    for (let i = 0; i < REQUESTS / AT_ONCE; i += 1) {
      const response = await fetch(url, { headers });
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return (readProcessCpu(server.pid) - before) / REQUESTS;
}

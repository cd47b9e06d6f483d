import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from '../lib/row.ts';
import { openScanDatabase, openScanProcess, readRun, type ScanDatabase, startScan } from './harness.ts';
import { countPages, createMadeAdapter } from './made-account.ts';

const KILLS = 20;
const GOAL = 0.05;

/** As a large account at AWS: 17 regions, and most types have no resources. */
export const KILLED_ACCOUNT = {
  ...{ resources: 51_000, page_size: 20, regions: 17, types: 300, filled_types: 50 },
  latency_ms: 5,
};

/**
 * I3: worker processes are killed 20 times during a scan of 51,000 resources. Nothing is lost or doubled, and few pages
 * are asked for again: those that were in flight.
 */
export async function benchScanKills(): Promise<BenchRow[]> {
  const database = await openScanDatabase();
  const scans = openScanProcess(database, createMadeAdapter(KILLED_ACCOUNT));
  try {
    const id = await startScan(scans, database);
    const log = join(database.folder, 'pages.log');
    await writeFile(log, '');
    const pages = countPages(KILLED_ACCOUNT);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const worker = startWorker(database, id, log);
      await untilPages(log, Math.floor(((kills + 1) * pages) / (KILLS + 1)), worker);
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
      await scans.cloudScans.maintenance.reconcile();
    }
    await once(startWorker(database, id, log), 'exit');
    return [await toRow(database, id, await countLines(log), pages)];
  } finally {
    await scans.close();
    await database.close();
  }
}

function startWorker({ url, org_id }: ScanDatabase, id: string, log: string): ChildProcess {
  const script = fileURLToPath(new URL('./scan-worker.js', import.meta.url));
  return spawn(process.execPath, [script, url, org_id, id, log], { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function untilPages(log: string, count: number, worker: ChildProcess): Promise<void> {
  while ((await countLines(log)) < count) {
    if (worker.exitCode !== null) throw new Error('a worker ended before it was killed');
    await wait(5);
  }
}

async function countLines(log: string): Promise<number> {
  return (await readFile(log, 'utf8')).split('\n').length - 1;
}

async function toRow(database: ScanDatabase, id: string, asked: number, pages: number): Promise<BenchRow> {
  const run = await readRun(database, id);
  const { rows } = await database.owner.query(
    'select count(*)::integer as stored, count(distinct resource_key)::integer as distinct from live_resources',
  );
  const { stored, distinct } = rows[0];
  const { resources } = KILLED_ACCOUNT;
  const is_whole =
    run.status === 'done' &&
    run.scan_errors.length === 0 &&
    run.resource_count === resources &&
    stored === resources &&
    distinct === resources;
  const again = (asked - pages) / pages;
  return {
    id: 'I3',
    what: 'pages asked for again when workers are killed 20 times',
    measured: again,
    limit: GOAL,
    unit: 'ratio',
    goal: `≤ ${GOAL} × the pages, and nothing lost or doubled`,
    passed: again <= GOAL && is_whole,
    note: `${asked - pages} of ${pages} pages; ${resources - stored} resources lost, ${stored - distinct} doubled`,
  };
}

import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { openScanDatabase, openScanProcess, readRun, runScan, type ScanDatabase, type ScanProcess } from './harness.ts';
import { createMadeAdapter } from './made-account.ts';

const RESOURCES = 100_000;
const ROUNDS = 3;
const GOAL = 2;

/**
 * I1: a scan of an account that answers at once, compared with one COPY of the rows that it wrote into the same empty
 * table with the same indexes. The scan also makes the resources, hashes and encrypts their properties, and commits
 * every page with its place.
 */
export async function benchInventoryWrite(): Promise<BenchRow[]> {
  const database = await openScanDatabase();
  const scans = openScanProcess(database, createMadeAdapter({ resources: RESOURCES, page_size: 500, regions: 8 }));
  try {
    // PostgreSQL writes the file, and may run as another user.
    const shared = join(database.folder, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o777);
    const file = join(shared, 'rows.copy');
    const [scanned, copied, again]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      await database.owner.query('truncate live_resources, inventory_counts cascade');
      scanned.push(await timeScan(scans, database));
      again.push(await timeScan(scans, database));
      await database.owner.query(`copy live_resources to '${file}'`);
      await database.owner.query('truncate live_resources, inventory_counts cascade');
      copied.push(await time(() => database.owner.query(`copy live_resources from '${file}'`)));
    }
    const [scan_ms, copy_ms, again_ms] = [scanned, copied, again].map(computeMedian) as [number, number, number];
    const note = `COPY ${copy_ms.toFixed(0)} ms, scan ${scan_ms.toFixed(0)} ms, scan without changes ${again_ms.toFixed(0)} ms`;
    const what = 'inventory of 100,000 new resources written';
    return [
      toRatioRow({ id: 'I1', what, ratio: scan_ms / copy_ms, limit: GOAL, comparison: 'COPY of the rows', note }),
    ];
  } finally {
    await scans.close();
    await database.close();
  }
}

async function timeScan(scans: ScanProcess, database: ScanDatabase): Promise<number> {
  let id = '';
  const ms = await time(async () => {
    id = await runScan(scans, database);
  });
  const run = await readRun(database, id);
  if (run.status !== 'done' || run.resource_count !== RESOURCES) throw new Error(JSON.stringify(run));
  return ms;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

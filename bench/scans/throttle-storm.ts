import { hash } from 'node:crypto';
import { CloudError } from '../../server/adapters/cloud/types.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { openScanDatabase, openScanProcess, readRun, runScan } from './harness.ts';
import { countPages, createMadeAdapter, type MadeAccount } from './made-account.ts';

const GOAL = 1.5;
const REJECTED = 0.3;

/** I2: how many requests a scan sends when the cloud rejects 30 % of them, compared with the number of pages. */
export async function benchThrottleStorm(): Promise<BenchRow[]> {
  let calls = 0;
  const attempts = new Map<string, number>();
  const account: MadeAccount = {
    ...{ resources: 20_000, page_size: 20, regions: 10 },
    // Without waiting: what is counted are requests.
    throttle: { sleep: async () => {}, clock_ms: () => calls * 1_000 },
    onPage({ key }, at) {
      calls += 1;
      const request = `${key} ${at}`;
      const attempt = (attempts.get(request) ?? 0) + 1;
      attempts.set(request, attempt);
      if (isRejected(`${request} ${attempt}`)) throw createRejection();
    },
  };
  const database = await openScanDatabase();
  const scans = openScanProcess(database, createMadeAdapter(account));
  try {
    const run = await readRun(database, await runScan(scans, database));
    const is_complete = run.status === 'done' && run.scan_errors.length === 0 && run.resource_count === 20_000;
    const pages = countPages(account);
    const note = `${calls} requests for ${pages} pages; the scan is ${is_complete ? 'complete' : 'not complete'}`;
    const what = 'requests of a scan while 30 % are rejected';
    const row = toRatioRow({ id: 'I2', what, ratio: calls / pages, limit: GOAL, comparison: 'the pages', note });
    return [{ ...row, passed: row.passed && is_complete }];
  } finally {
    await scans.close();
    await database.close();
  }
}

/** The same in every run, whatever the order of the requests. */
function isRejected(request: string): boolean {
  return Number.parseInt(hash('sha256', request).slice(0, 8), 16) / 0xffffffff < REJECTED;
}

function createRejection(): CloudError {
  const nowhere = { service: 'made', region: null, provider_type: null, permission: null };
  return new CloudError({ code: 'throttled', message: 'Slow down.', ...nowhere, retryable: true });
}

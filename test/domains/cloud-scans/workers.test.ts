import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OrgDatabase } from '../../../server/db/index.ts';
import type { CloudAccount } from '../../../server/domains/cloud-accounts/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { fakePart, fakeResource } from '../../fakes/cloud/adapter.ts';
import { type CloudScansUnderTest, setUpCloudScans } from './setup.ts';

const MINUTE_MS = 60_000;

let under: CloudScansUnderTest;
let owner: Principal;
let org: string;
let account: CloudAccount;
beforeAll(async () => {
  under = await setUpCloudScans();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  await under.database
    .admin_db('scan_runs')
    .whereIn('status', ['pending', 'running'])
    .update({ status: 'error', finished_at: new Date() });
  under.clouds.aws.reset();
  under.queued.length = 0;
  ({ owner, org } = await under.makeOwner('team'));
  account = await under.makeAccount(owner, org);
});

const PART = fakePart('AWS::SQS::Queue');
const OTHER = fakePart('AWS::SNS::Topic', 'us-east-1');
const cloud = () => under.clouds.aws;
const start = async () => (await under.cloudScans.create(owner, org, { cloud_account_id: account.id })).id;
const get = async (id: string) => (await under.scans.get(org, id)).run;
const buildPages = (count: number, prefix = 'r') =>
  Array.from({ length: count }, (_, i) => [fakeResource(`${prefix}${i}`)]);
const names = async () => (await under.resources(account.id)).map((row) => row.provider_resource_id).sort();

/** A database that dies, like its process, before the commit of the nth page; nothing more is written by it. */
function dyingDatabase(pages: number): OrgDatabase {
  const { db } = under.database;
  let written = 0;
  const assertAlive = () => {
    if (written > pages) throw new Error('killed');
  };
  return {
    async inOrg(org_id, work) {
      assertAlive();
      return db.inOrg(org_id, async (trx) => {
        let is_page = false;
        trx.on('query', ({ sql }: { sql: string }) => {
          is_page ||= sql.startsWith('update scan_parts');
        });
        const result = await work(trx);
        if (is_page) written += 1;
        assertAlive();
        return result;
      });
    },
    async readInOrg(org_id, read) {
      assertAlive();
      return db.readInOrg(org_id, read);
    },
  };
}

/** A worker that is killed between a page and its commit, after so many pages. */
async function runAndKill(id: string, pages: number): Promise<void> {
  const dying = under.another(dyingDatabase(pages)).cloudScans;
  await dying.run({ org_id: org, id }, new AbortController().signal).catch(() => {});
  await under.database.admin_db('scan_runs').where({ id }).update({ status: 'running' });
}

async function passSilence(): Promise<void> {
  under.pass(31_000);
  await under.cloudScans.maintenance.reconcile();
}

describe('a worker that is lost', () => {
  test('another one goes on at the page whose commit was lost, and asks for no other page again', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(6) }];
    const id = await start();
    await runAndKill(id, 3);
    expect(await names()).toEqual(['r0', 'r1', 'r2']);
    await passSilence();
    expect(under.queued.at(-1)).toEqual({ org_id: org, id });
    await under.run(org, id);

    expect(await get(id)).toMatchObject({ status: 'done', resource_count: 6, scan_errors: [] });
    expect(cloud().pages).toEqual(['', ' 1', ' 2', ' 3', ' 3', ' 4', ' 5'].map((cursor) => PART.key + cursor));
  });

  test('the outline of the first attempt stays', async () => {
    cloud().account.parts = [
      { part: PART, pages: buildPages(3) },
      { part: OTHER, pages: buildPages(3, 'o') },
    ];
    const id = await start();
    await runAndKill(id, 2);
    await passSilence();
    cloud().account.parts.push({ part: fakePart('AWS::New::Type'), pages: buildPages(1, 'n') });
    await under.run(org, id);

    expect(await get(id)).toMatchObject({ status: 'done', resource_count: 6 });
  });

  test('one that comes back after another has taken the scan writes nothing', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(2) }];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    cloud().onPage = () => held;
    const id = await start();
    const first = under.run(org, id);
    while (cloud().pages.length === 0) await new Promise(setImmediate);
    // Its heartbeats do not arrive.
    await under.database
      .admin_db('scan_runs')
      .where({ id })
      .update({ heartbeat_at: new Date(0) });
    await under.database.admin_db('scan_runs').where({ id }).update({ status: 'pending' });
    cloud().onPage = async () => {};
    await under.run(org, id);
    const rows = await under.resources(account.id);
    release();
    await first;

    expect(await under.resources(account.id)).toEqual(rows);
    expect(await get(id)).toMatchObject({ status: 'done', resource_count: 2 });
  });

  test('five attempts in a row that read nothing end the scan; attempts that read something do not count', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(20) }];
    const id = await start();
    for (let kills = 0; kills < 8; kills += 1) {
      await runAndKill(id, 1);
      await passSilence();
    }
    expect(await get(id)).toMatchObject({ status: 'pending' });
    for (let kills = 0; kills < 5; kills += 1) {
      await runAndKill(id, 0);
      await passSilence();
    }
    await under.run(org, id);

    const run = await get(id);
    expect(run).toMatchObject({ status: 'error', resource_count: 8 });
    expect(run.scan_errors[0]).toMatchObject({ code: 'internal', retryable: true });
  });

  test('a worker that shuts down gives the scan back at once', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(3) }];
    const shutdown = new AbortController();
    cloud().onPage = async (_part, cursor) => {
      if (cursor === '1') shutdown.abort(new Error('shutdown'));
    };
    const id = await start();
    under.queued.length = 0;
    await under.run(org, id, shutdown.signal);

    expect(await get(id)).toMatchObject({ status: 'pending' });
    expect(under.queued).toEqual([{ org_id: org, id }]);
    await under.run(org, id);
    expect(await get(id)).toMatchObject({ status: 'done', resource_count: 3 });
  });

  test('an error of the database is tried again, and the second one ends the scan', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(1) }];
    const id = await start();
    const failing = under.another({
      ...under.database.db,
      async readInOrg() {
        throw new Error('no connection');
      },
    }).cloudScans;
    // The inventory reads what it knows before it writes.
    await expect(failing.run({ org_id: org, id }, new AbortController().signal)).rejects.toThrow('no connection');
    expect(await get(id)).toMatchObject({ status: 'pending' });
    await failing.run({ org_id: org, id }, new AbortController().signal);

    expect(await get(id)).toMatchObject({ status: 'error', scan_errors: [{ code: 'internal' }] });
  });
});

describe('a scan that is canceled', () => {
  test('a pending one ends at once, and its job does nothing', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(1) }];
    const id = await start();
    const run = await under.cloudScans.cancel(org, id);

    expect(run).toMatchObject({ status: 'error', scan_errors: [{ code: 'cancelled' }], resource_count: 0 });
    await under.run(org, id);
    expect(cloud().pages).toEqual([]);
  });

  test('a running one stops, also during a page, and keeps what was read', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(5) }];
    const id = await start();
    cloud().onPage = async (_part, cursor, signal) => {
      if (cursor !== '2') return;
      await under.cloudScans.cancel(org, id);
      // Resolves only because the heartbeat notices the cancellation.
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    };
    await under.run(org, id);

    expect(await get(id)).toMatchObject({ status: 'error', resource_count: 2, scan_errors: [{ code: 'cancelled' }] });
    expect(await names()).toEqual(['r0', 'r1']);
    expect(cloud().pages).toHaveLength(3);
    expect(cloud().open_sessions).toBe(0);
  });

  test('parts that it had read to their end are checked, and the others are not', async () => {
    cloud().account.parts = [
      { part: PART, pages: buildPages(1) },
      { part: OTHER, pages: buildPages(2, 'o') },
    ];
    const id = await start();
    cloud().onPage = async (part, cursor) => {
      if (part.key !== OTHER.key || cursor === null) return;
      while ((await under.resources(account.id)).length < 2) await new Promise(setImmediate);
      await under.cloudScans.cancel(org, id);
    };
    await under.run(org, id);

    expect(await under.ledger(account.id)).toMatchObject([
      { part_key: PART.key, checked_at: expect.any(Date), code: null },
      { part_key: OTHER.key, checked_at: null, message: 'This part was not read. The scan was canceled.' },
    ]);
  });

  test('one that has ended, an analysis, and an unknown one are refused', async () => {
    const id = await start();
    await under.run(org, id);
    const analysis = await under.database.db.inOrg(org, (trx) =>
      under.scans.analysisRun.create(trx, org, {
        repo_owner: null,
        repo_name: null,
        repo_url: null,
        pr_number: null,
        branch: null,
        commit_sha: null,
      }),
    );

    const refused = { status: 409, error_class: 'scan_not_cancelable' };
    await expect(under.cloudScans.cancel(org, id)).rejects.toMatchObject(refused);
    await expect(under.cloudScans.cancel(org, analysis.id)).rejects.toMatchObject(refused);
    await expect(under.cloudScans.cancel(org, account.id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('scans of one account', () => {
  test('a second one waits for the first, which wakes it', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(1) }];
    const [first, second] = [await start(), await start()];
    cloud().onPage = async () => {
      cloud().onPage = async () => {};
      await under.run(org, second);
      expect(await get(second)).toMatchObject({ status: 'pending' });
      under.queued.length = 0;
    };
    await under.run(org, first);

    expect(under.queued).toEqual([{ org_id: org, id: second }]);
    await under.run(org, second);
    expect(await get(second)).toMatchObject({ status: 'done', resource_count: 1 });
  });
});

describe('stuck scans', () => {
  test('one that never started ends after an hour', async () => {
    const id = await start();
    under.pass(59 * MINUTE_MS);
    await under.cloudScans.maintenance.reconcile();
    expect(await get(id)).toMatchObject({ status: 'pending' });
    under.pass(2 * MINUTE_MS);
    await under.cloudScans.maintenance.reconcile();

    expect(await get(id)).toMatchObject({ status: 'error', scan_errors: [{ code: 'timeout', retryable: true }] });
  });

  test('one whose last heartbeat is half an hour old ends, and frees its place', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(3) }];
    const id = await start();
    await runAndKill(id, 1);
    under.pass(31 * MINUTE_MS);
    await under.cloudScans.maintenance.reconcile();

    expect(await get(id)).toMatchObject({ status: 'error', resource_count: 1, scan_errors: [{ code: 'timeout' }] });
  });

  test('a pending one that the queue may have lost is queued again, once in five minutes', async () => {
    const id = await start();
    under.queued.length = 0;
    under.pass(6 * MINUTE_MS);
    await under.cloudScans.maintenance.reconcile();
    await under.cloudScans.maintenance.reconcile();

    expect(under.queued).toEqual([{ org_id: org, id }]);
  });

  test('a running one with heartbeats is not changed', async () => {
    cloud().account.parts = [{ part: PART, pages: buildPages(1) }];
    const id = await start();
    cloud().onPage = () => under.cloudScans.maintenance.reconcile();
    await under.run(org, id);

    expect(await get(id)).toMatchObject({ status: 'done' });
    expect(under.queued).toHaveLength(1);
  });
});

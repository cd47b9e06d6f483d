import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openOrgDatabase } from '../../../server/db/index.ts';
import { listDueOrgs } from '../../../server/domains/schedules/firings-store.ts';
import { newId } from '../../../server/lib/ids.ts';
import { type SchedulesUnderTest, setUpSchedules } from './setup.ts';

const ORGS = 4;
const SCHEDULES = 20;
const ROUNDS = 3;
const PROCESSES = 4;

let under: SchedulesUnderTest;
beforeAll(async () => {
  under = await setUpSchedules();
});
afterAll(() => under.database.close());

/** Schedules without an account of their own: each run scans the only account of its organization. */
async function makeSchedules(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < ORGS; n += 1) {
    const { owner, org } = await under.makeOwner('team');
    await under.database.admin_db('org_limits').insert({ org_id: org, name: 'concurrent_scans', value: -1 });
    await under.addAccount(owner, org);
    const template = await under.add(owner, org);
    const row = await under.row(template.id);
    const copies = Array.from({ length: SCHEDULES - 1 }, () => ({ ...row, id: newId() }));
    await under.database.admin_db('schedules').insert(copies);
    ids.push(template.id, ...copies.map(({ id }) => id));
  }
  return ids;
}

test('several processes whose connections are cut again and again fire each due time exactly once', async () => {
  const ids = await makeSchedules();
  const log = pino({ level: 'silent' });
  const pools = Array.from({ length: PROCESSES }, () => openOrgDatabase({ url: under.database.url, max: 4, log }));
  const processes = pools.map(({ db }) => under.startProcess(db));
  let firing = true;
  const cutting = (async () => {
    for (let cuts = 0; firing || cuts < 3; cuts += 1) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await under.database.cutConnections().catch(() => {});
    }
  })();
  const isDue = () =>
    under.database
      .admin_db('schedules')
      .where('next_run_at', '<=', under.clock.now)
      .first('id')
      .catch(() => true);
  const work = async (process: (typeof processes)[number]) => {
    while (await isDue()) await process.fire().catch(() => {});
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    under.pass(3_600_000);
    await Promise.all(processes.map(work));
  }
  firing = false;
  await cutting;
  await Promise.all(pools.map(({ close }) => close()));

  const fired = await under.database.admin_db('schedule_firings').select('id', 'schedule_id');
  const scans = await under.database.admin_db('scan_runs').whereNotNull('firing_id').select('firing_id');
  const per_schedule = new Map(ids.map((id) => [id, 0]));
  for (const { schedule_id } of fired) per_schedule.set(schedule_id, (per_schedule.get(schedule_id) ?? 0) + 1);
  expect([...new Set(per_schedule.values())]).toEqual([ROUNDS]);
  // The scans of the first run have not ended, so that later runs are skipped.
  expect(scans).toHaveLength(ids.length);
}, 120_000);

test('schedules of a large organization do not keep the only one of another waiting', async () => {
  await under.database.admin_db('schedules').update({ next_run_at: null, deleted_at: under.clock.now });
  await makeSchedules();
  const { owner, org } = await under.makeOwner();
  const single = await under.add(owner, org);
  const [{ org_id: large }] = await under.database
    .admin_db('schedules')
    .whereNull('deleted_at')
    .limit(1)
    .select('org_id');
  const row = await under.database.admin_db('schedules').where({ org_id: large }).whereNull('deleted_at').first();
  const copies = Array.from({ length: 200 }, () => ({ ...row, id: newId() }));
  await under.database.admin_db('schedules').insert(copies);
  under.pass(2 * 3_600_000);

  await under.schedules.fire();

  expect(await under.firings(single.id)).toHaveLength(1);
  expect(await under.database.admin_db('schedules').where('next_run_at', '<=', under.clock.now)).not.toEqual([]);
});

test('looking for due schedules reads only an index, however many are not due', async () => {
  const { owner, org } = await under.makeOwner();
  const template = await under.add(owner, org);
  const row = await under.row(template.id);
  const later = new Date(under.clock.now.getTime() + 86_400_000);
  for (let n = 0; n < 10; n += 1) {
    const copies = Array.from({ length: 500 }, () => ({ ...row, id: newId(), next_run_at: later }));
    await under.database.admin_db('schedules').insert(copies);
  }
  await under.database.admin_db.raw('vacuum analyze schedules');
  const { platform_db } = under.database;
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const note = (query: { sql: string; bindings: unknown[] }) => void statements.push(query);
  platform_db.on('query', note);
  await listDueOrgs(platform_db, under.clock.now, 24);
  platform_db.off('query', note);

  const [{ sql, bindings } = { sql: '', bindings: [] }] = statements;
  const { rows } = await platform_db.raw(`explain ${sql.replace(/\$\d+/g, '?')}`, bindings as string[]);
  const plan = rows.map((line: Record<string, string>) => line['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Only Scan using schedules_due_idx');
  expect(plan).not.toContain('Seq Scan on schedules');
});

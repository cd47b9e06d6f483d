import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { type SchedulesUnderTest, setUpSchedules } from './setup.ts';

const START = '2026-05-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;

let under: SchedulesUnderTest;
let owner: Principal;
let org: string;
let account: string;
beforeAll(async () => {
  under = await setUpSchedules();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  under.clouds.aws.reset();
  under.setTime(START);
  under.runs.length = 0;
  under.queued.length = 0;
  under.audit.events.length = 0;
  await under.database.admin_db('schedules').update({ deleted_at: new Date(START), next_run_at: null });
  await under.database.admin_db('schedule_firings').update({ try_at: null, waiting_account_ids: [] });
  ({ owner, org } = await under.makeOwner('team'));
  account = (await under.addAccount(owner, org)).id;
});

const get = (id: string) => under.schedules.get(org, id);

/** Moves the clock to the next due time, and fires. */
async function fireNext(id: string): Promise<Date> {
  const { next_run_at } = await get(id);
  if (next_run_at === null) throw new Error('the schedule is disabled');
  under.setTime(next_run_at);
  await under.fire();
  return next_run_at;
}

async function runScans(schedule_id: string): Promise<void> {
  for (const { id, status } of await under.scansOf(schedule_id)) {
    if (status === 'pending') await under.run(org, id);
  }
}

/** Ends a scan as if no worker had taken it. */
async function failScans(schedule_id: string): Promise<void> {
  for (const { id, status } of await under.scansOf(schedule_id)) {
    if (status === 'pending') await under.cloudScans.cancel(org, id);
  }
}

describe('a run', () => {
  test('starts at the shown time, creates and queues the scan, and moves on', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account, filter_regions: ['eu-west-1'] });
    const due = schedule.next_run_at!;
    under.setTime(new Date(due.getTime() - 1));
    await under.fire();
    expect(await under.scansOf(schedule.id)).toEqual([]);

    await fireNext(schedule.id);

    const [scan, ...more] = await under.scansOf(schedule.id);
    expect(more).toEqual([]);
    expect(scan).toMatchObject({
      cloud_account_id: account,
      scan_type: 'scheduled',
      status: 'pending',
      filter_regions: ['eu-west-1'],
    });
    expect(under.queued).toEqual([{ org_id: org, id: scan.id }]);
    expect(await under.firings(schedule.id)).toMatchObject([{ due_at: due, fired_at: due, settled_at: null }]);
    const next_run_at = new Date(due.getTime() + HOUR_MS);
    expect(await get(schedule.id)).toMatchObject({ last_run_at: due, next_run_at, last_error: null });
    expect(under.runs).toEqual([{ outcome: 'started', late_ms: 0 }]);
  });

  test('without an account of its own, it scans every account that is enabled at that time', async () => {
    const schedule = await under.add(owner, org);
    const second = await under.addAccount(owner, org);
    await under.accounts.update(owner, org, account, { enabled: false }, () => {});

    await fireNext(schedule.id);

    expect((await under.scansOf(schedule.id)).map((scan) => scan.cloud_account_id)).toEqual([second.id]);
  });

  test('of all accounts, each is scanned in those of the regions that it reads', async () => {
    const reads_one = await under.addAccount(owner, org, { regions: ['eu-west-1', 'us-east-1'] });
    const reads_none = await under.addAccount(owner, org, { regions: ['us-west-2'] });
    const schedule = await under.add(owner, org, { filter_regions: ['eu-west-1', 'eu-north-1'] });

    await fireNext(schedule.id);

    const scans = await under.scansOf(schedule.id);
    const regions = Object.fromEntries(scans.map((scan) => [scan.cloud_account_id, scan.filter_regions]));
    expect(regions).toEqual({ [account]: ['eu-west-1', 'eu-north-1'], [reads_one.id]: ['eu-west-1'] });
    await runScans(schedule.id);
    expect((await get(schedule.id)).last_error).toBe(
      `not scanned: the account "${reads_none.display_name}" does not read the region "eu-west-1"`,
    );
  });

  test('a disabled, deleted or moved schedule does not fire at its old time', async () => {
    const [disabled, deleted, moved] = [
      await under.add(owner, org),
      await under.add(owner, org),
      await under.add(owner, org),
    ];
    await under.change(owner, org, disabled.id, { enabled: false });
    await under.schedules.remove(owner, org, deleted.id);
    await under.change(owner, org, moved.id, { schedule: '0 0 1 1 *' });
    under.pass(2 * HOUR_MS);
    await under.fire();

    expect(under.runs).toEqual([]);
    expect((await get(disabled.id)).next_run_at).toBeNull();
  });

  test('while a scan of the previous run has not ended, the next run is skipped and counts nothing', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    const first = await fireNext(schedule.id);
    await fireNext(schedule.id);

    expect(await under.scansOf(schedule.id)).toHaveLength(1);
    expect(await get(schedule.id)).toMatchObject({
      last_error: 'skipped: previous run active',
      last_run_at: first,
      consecutive_failures: 0,
    });
    await runScans(schedule.id);
    expect((await get(schedule.id)).last_error).toBeNull();
  });
});

describe('outages and clocks', () => {
  test('runs that were missed collapse into one, which says how many they were', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    const due = schedule.next_run_at!;
    under.setTime(new Date(due.getTime() + 3 * HOUR_MS + 60_000));
    await under.fire();

    expect(await under.scansOf(schedule.id)).toHaveLength(1);
    expect((await get(schedule.id)).next_run_at).toEqual(new Date(due.getTime() + 4 * HOUR_MS));
    await runScans(schedule.id);
    expect((await get(schedule.id)).last_error).toBe(
      '3 later runs were missed while no scheduler was running; this run replaces them',
    );
  });

  test('a clock that is set back an hour and on again fires nothing twice', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    const due = await fireNext(schedule.id);
    await runScans(schedule.id);

    under.setTime(new Date(due.getTime() - HOUR_MS));
    await under.fire();
    // Saving the schedule computes the same due time again.
    await under.change(owner, org, schedule.id, { enabled: false });
    await under.change(owner, org, schedule.id, { enabled: true });
    expect((await get(schedule.id)).next_run_at).toEqual(due);
    under.setTime(due);
    await under.fire();

    expect(await under.scansOf(schedule.id)).toHaveLength(1);
    expect(under.runs.map(({ outcome }) => outcome)).toEqual(['started', 'repeated']);
    expect((await get(schedule.id)).next_run_at).toEqual(new Date(due.getTime() + HOUR_MS));
  });

  test('a clock that jumps an hour ahead and back fires each due time at most once', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    const due = schedule.next_run_at!;
    for (const offset of [0, HOUR_MS, 0, 60_000, HOUR_MS, HOUR_MS + 60_000]) {
      under.setTime(new Date(due.getTime() + offset));
      await under.fire();
      await runScans(schedule.id);
    }

    expect((await under.firings(schedule.id)).map(({ due_at }) => due_at)).toEqual([
      due,
      new Date(due.getTime() + HOUR_MS),
    ]);
    expect(await under.scansOf(schedule.id)).toHaveLength(2);
  });
});

describe('the limit of scans', () => {
  beforeEach(async () => {
    await under.database.admin_db('org_limits').insert({ org_id: org, name: 'concurrent_scans', value: 2 });
  });

  test('scans beyond the limit wait with a reason, and start when others have ended', async () => {
    await under.addAccount(owner, org);
    await under.addAccount(owner, org);
    const schedule = await under.add(owner, org);
    await fireNext(schedule.id);

    expect(await under.scansOf(schedule.id)).toHaveLength(2);
    expect(await get(schedule.id)).toMatchObject({
      last_error:
        'deferred: 1 scan waits for others to end, because the organization runs as many scans as its plan allows',
      consecutive_failures: 0,
    });

    await runScans(schedule.id);
    await under.fire();
    expect(await under.scansOf(schedule.id)).toHaveLength(3);
    expect((await get(schedule.id)).last_error).toBeNull();
    expect(await under.firings(schedule.id)).toMatchObject([{ settled_at: null }]);
    await runScans(schedule.id);
    expect(await under.firings(schedule.id)).toMatchObject([{ settled_at: under.clock.now, try_at: null }]);
  });

  test('a run that starts no scan at once is deferred, not failed', async () => {
    const { id: second } = await under.addAccount(owner, org);
    await under.cloudScans.createBulk(owner, org, { account_ids: [account, second] });
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    await fireNext(schedule.id);

    expect(await under.scansOf(schedule.id)).toEqual([]);
    expect(under.runs.map(({ outcome }) => outcome)).toEqual(['waiting']);
    expect(await get(schedule.id)).toMatchObject({ consecutive_failures: 0, enabled: true });
    expect((await get(schedule.id)).last_error).toMatch(/^deferred: 1 scan waits/);
  });

  test('the next run replaces one that still waits', async () => {
    const { id: second } = await under.addAccount(owner, org);
    const { scan_ids } = await under.cloudScans.createBulk(owner, org, { account_ids: [account, second] });
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    await fireNext(schedule.id);
    await fireNext(schedule.id);
    for (const id of scan_ids) await under.run(org, id);
    await under.fire();

    const fired = await under.firings(schedule.id);
    expect(fired).toMatchObject([{ waiting_account_ids: [] }, { waiting_account_ids: [] }]);
    expect(await under.scansOf(schedule.id)).toMatchObject([{ firing_id: fired[1].id }]);
  });

  test('a waiting run of a schedule that was disabled starts no more scans', async () => {
    const { id: second } = await under.addAccount(owner, org);
    const { scan_ids } = await under.cloudScans.createBulk(owner, org, { account_ids: [account, second] });
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    await fireNext(schedule.id);
    await under.change(owner, org, schedule.id, { enabled: false });
    for (const id of scan_ids) await under.run(org, id);
    await under.fire();

    expect(await under.scansOf(schedule.id)).toEqual([]);
    expect(await under.firings(schedule.id)).toMatchObject([{ waiting_account_ids: [], try_at: null }]);
  });
});

describe('failures', () => {
  test('the fifth failed run in a row disables the schedule with its reason, and enabling it starts anew', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    for (let run = 1; run <= 5; run += 1) {
      await fireNext(schedule.id);
      await failScans(schedule.id);
      expect((await get(schedule.id)).consecutive_failures).toBe(run);
    }

    expect(await get(schedule.id)).toMatchObject({
      enabled: false,
      next_run_at: null,
      disabled_reason: 'consecutive_failures: 5, last: The scan was canceled.',
      last_error: 'The scan was canceled.',
    });
    const detail = { schedule_id: schedule.id };
    const recorded = under.audit.in_transaction.map(({ event }) => event);
    expect(recorded).toContainEqual({ action: 'schedule.updated', org_id: org, actor_email: '', detail });

    expect(under.disabled).toEqual([schedule.id]);

    const enabled = await under.change(owner, org, schedule.id, { enabled: true });
    expect(enabled).toMatchObject({ enabled: true, disabled_reason: null, consecutive_failures: 0 });
    expect(enabled.next_run_at!.getTime()).toBeGreaterThan(under.clock.now.getTime());
  });

  test('a run of which one scan has read something is a success and forgets earlier failures', async () => {
    const schedule = await under.add(owner, org);
    await under.addAccount(owner, org);
    await fireNext(schedule.id);
    await failScans(schedule.id);
    await fireNext(schedule.id);
    const [, , third] = await under.scansOf(schedule.id);
    await under.run(org, third.id);
    expect((await get(schedule.id)).consecutive_failures).toBe(1);
    await failScans(schedule.id);

    expect(await get(schedule.id)).toMatchObject({ consecutive_failures: 0, last_error: null });
  });

  test('a run without an account that can be scanned fails, and says why', async () => {
    const named = await under.add(owner, org, { cloud_account_id: account });
    const all = await under.add(owner, org);
    await under.accounts.update(owner, org, account, { enabled: false }, () => {});
    under.pass(2 * HOUR_MS);
    await under.fire();

    expect(await get(named.id)).toMatchObject({
      consecutive_failures: 1,
      last_error: 'not scanned: the account "Production" is disabled; enable it to scan it',
    });
    expect(await get(all.id)).toMatchObject({
      consecutive_failures: 1,
      last_error: 'the organization has no enabled cloud account; add or enable one',
    });
  });

  test('an expression that matches no more disables its schedule', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    await under.database.admin_db('schedules').where({ id: schedule.id }).update({ schedule: '0 0 31 2 *' });
    await fireNext(schedule.id);

    expect(await get(schedule.id)).toMatchObject({
      enabled: false,
      disabled_reason: 'never_matches',
      next_run_at: null,
    });
    expect(await under.scansOf(schedule.id)).toHaveLength(1);
  });

  test('an organization whose schedules cannot be fired does not keep others from theirs', async () => {
    const schedule = await under.add(owner, org, { cloud_account_id: account });
    const stranger = await under.makeOwner();
    const other = await under.add(stranger.owner, stranger.org);
    await under.database.admin(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.org_id = '${org}' then raise 'refused'; end if; return new; end $$;
      create trigger refuse before insert on schedule_firings for each row execute function refuse()`);
    under.pass(2 * HOUR_MS);
    await under.fire();
    await under.database.admin('drop trigger refuse on schedule_firings');

    expect(await under.firings(other.id)).toHaveLength(1);
    expect(await under.firings(schedule.id)).toEqual([]);
    await under.fire();
    expect(await under.firings(schedule.id)).toHaveLength(1);
  });
});

test('old runs are deleted, and their scans stay', async () => {
  const schedule = await under.add(owner, org, { cloud_account_id: account });
  await fireNext(schedule.id);
  await runScans(schedule.id);
  under.pass(91 * 24 * HOUR_MS);
  await under.schedules.deleteOldFirings();

  expect(await under.firings(schedule.id)).toEqual([]);
  expect(await under.scansOf(schedule.id)).toMatchObject([{ firing_id: null, status: 'done' }]);
});

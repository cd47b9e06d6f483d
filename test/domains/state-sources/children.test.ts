import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OrgContext, Principal } from '../../../server/lib/principal.ts';
import { stateText } from '../../fakes/state-reader.ts';
import { minutesLater } from '../orgs/setup.ts';
import { type StateSourcesUnderTest, setUpStateSources } from './setup.ts';

let setup: StateSourcesUnderTest;
let owner: Principal;
let org: OrgContext;
let glob_id: string;
beforeAll(async () => {
  setup = await setUpStateSources();
});
afterAll(() => setup.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner());
  setup.backend.failWith(undefined);
  setup.backend.states.clear();
  setup.backend.fetches.length = 0;
  await setup.database.admin_db('outbox').delete();
});

const place = (key: string) => `s3:states/${key}`;
const KEYS = ['a.tfstate', 'b.tfstate', 'c.tfstate'];

async function makeGlob(keys = KEYS): Promise<void> {
  for (const [i, key] of keys.entries()) setup.backend.states.set(place(key), stateText(i + 1));
  const where = { provider: 'aws', bucket: 'states', region: 'eu-central-1' } as const;
  const cloud_account_id = setup.addAccount(org.id, 'aws');
  const { glob } = await setup.globs.create(owner, org.id, { ...where, cloud_account_id, display_name: 'All' });
  glob_id = glob.id;
}
const refreshAll = () => setup.children.refreshAll(owner, org.id, glob_id);
/** The payloads of queued jobs. */
const queued = async (): Promise<{ org_id: string; id: string }[]> => {
  const rows = await setup.database.admin_db('outbox').where({ topic: 'state-refresh' }).orderBy('id');
  return rows.map(({ payload: { org_id, id } }) => ({ org_id, id }));
};
const run = (jobs: { org_id: string; id: string }[]) =>
  Promise.allSettled(jobs.map((job) => setup.children.runItem(job)));
const completions = () =>
  setup.audit
    .selectEvents(org.id, 'state_source_glob.children_refresh_completed')
    .map(({ actor_email, detail }) => ({ actor_email, ...detail }));
const completed = (refreshed: number, unchanged: number, failed: number) => {
  return { actor_email: '', glob_id, refreshed, unchanged, failed };
};

describe('a refresh of the sources of a glob', () => {
  test('queues one job per source and completes once with the counts', async () => {
    await makeGlob();

    expect(await refreshAll()).toEqual({ queued: 3 });
    const jobs = await queued();
    expect(jobs).toHaveLength(3);
    expect(setup.audit.selectEvents(org.id, 'state_source_glob.children_refresh_triggered')).toMatchObject([
      { actor_email: owner.user.email, detail: { glob_id, queued: 3 } },
    ]);
    await run(jobs.slice(0, 2));
    expect(completions()).toEqual([]);
    await run(jobs);

    expect(completions()).toEqual([completed(3, 0, 0)]);
    expect(setup.backend.fetches.map((one) => one.place).sort()).toEqual(KEYS.map(place));
  });

  test('of a glob without sources completes at once', async () => {
    await makeGlob([]);

    expect(await refreshAll()).toEqual({ queued: 0 });

    expect(completions()).toEqual([completed(0, 0, 0)]);
    expect(await queued()).toEqual([]);
  });

  test('counts recent and unchanged states as unchanged, and fetches only stale ones', async () => {
    await makeGlob();
    await refreshAll();
    await run(await queued());
    setup.backend.fetches.length = 0;
    await setup.database.admin_db('outbox').delete();

    setup.clock.now = minutesLater(setup.clock.now, 4);
    await refreshAll();
    await run(await queued());
    expect(setup.backend.fetches).toEqual([]);

    setup.clock.now = minutesLater(setup.clock.now, 2);
    setup.backend.states.set(place('a.tfstate'), stateText(9));
    await setup.database.admin_db('outbox').delete();
    await refreshAll();
    await run(await queued());

    expect(completions().slice(1)).toEqual([completed(0, 3, 0), completed(1, 2, 0)]);
    expect(setup.backend.fetches).toHaveLength(3);
  });

  test('tries a failing source three times, and counts it as failed', async () => {
    await makeGlob();
    setup.backend.states.delete(place('b.tfstate'));
    await refreshAll();
    const jobs = await queued();

    const rejected = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      rejected.push((await run(jobs)).filter(({ status }) => status === 'rejected').length);
    }

    expect(rejected).toEqual([1, 1, 0]);
    expect(completions()).toEqual([completed(2, 0, 1)]);
    const { sources } = await setup.sources.list(org, {}, { limit: 10, offset: 0 });
    expect(sources.map(({ missing_since }) => missing_since !== null)).toEqual([false, true, false]);
  });

  test('counts a source that was deleted meanwhile as failed, without another attempt', async () => {
    await makeGlob(['a.tfstate']);
    await refreshAll();
    const [source] = (await setup.sources.list(org, {}, { limit: 1, offset: 0 })).sources;
    await setup.sources.remove(owner, org.id, source?.id ?? '');

    expect((await run(await queued()))[0]?.status).toBe('fulfilled');
    expect(completions()).toEqual([completed(0, 0, 1)]);
  });

  test('running every job twice at once changes nothing', async () => {
    await makeGlob();
    await refreshAll();
    const jobs = await queued();

    await run([...jobs, ...jobs]);

    expect(completions()).toEqual([completed(3, 0, 0)]);
  });

  test('completes when workers die: their sources are queued again', async () => {
    await makeGlob();
    await refreshAll();
    const [first, ...others] = await queued();
    await run(others);
    // The worker of the first one began and died.
    const begun = { attempts: 1, due_at: minutesLater(setup.clock.now, 10) };
    await setup.database.admin_db('state_glob_refresh_items').where({ id: first?.id }).update(begun);
    await setup.database.admin_db('outbox').delete();

    await setup.children.requeueOverdue();
    expect(await queued()).toEqual([]);
    setup.clock.now = minutesLater(setup.clock.now, 11);
    await setup.children.requeueOverdue();
    await setup.children.requeueOverdue();

    expect(await queued()).toEqual([first]);
    await run(await queued());
    expect(completions()).toEqual([completed(3, 0, 0)]);
  });

  test('gives a source up whose workers died three times', async () => {
    await makeGlob();
    await refreshAll();
    const [first, ...others] = await queued();
    await run(others);
    const begun = { attempts: 3, due_at: minutesLater(setup.clock.now, 10) };
    await setup.database.admin_db('state_glob_refresh_items').where({ id: first?.id }).update(begun);
    setup.clock.now = minutesLater(setup.clock.now, 11);

    await setup.children.requeueOverdue();

    expect(completions()).toEqual([completed(2, 0, 1)]);
  });

  test('is deleted after a week with its items', async () => {
    await makeGlob();
    await refreshAll();
    const items = () => setup.database.admin_db('state_glob_refresh_items').where({ org_id: org.id });

    setup.clock.now = minutesLater(setup.clock.now, 6 * 24 * 60);
    await setup.children.deleteOld();
    expect(await items()).toHaveLength(3);
    setup.clock.now = minutesLater(setup.clock.now, 2 * 24 * 60);
    await setup.children.deleteOld();

    expect(await items()).toEqual([]);
  });
});

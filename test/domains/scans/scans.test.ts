import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CiContext, createScans, type Scans } from '../../../server/domains/scans/index.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg } from '../../helpers/people.ts';

const NO_CI: CiContext = {
  repo_owner: null,
  repo_name: null,
  repo_url: null,
  pr_number: null,
  branch: null,
  commit_sha: null,
};
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('scan runs', () => {
  const today = new Date('2026-05-01T12:00:00.000Z');
  let database: TestDatabase;
  let scans: Scans;
  let org_id: string;
  let now = today;

  beforeAll(async () => {
    database = await openTestDatabase();
    scans = createScans({
      db: database.db,
      sweep_db: database.sweeper_db,
      now: () => now,
      getOrgPlan: async (id) => (await database.admin_db('orgs').where({ id }).first('plan')).plan,
    });
  });
  beforeEach(async () => {
    now = today;
    org_id = await makeOrg(database.admin_db);
  });
  afterAll(() => database.close());

  const everything = { limit: 50, offset: 0 };
  const setPlan = (plan: string) => database.admin_db('orgs').where({ id: org_id }).update({ plan });
  async function makeRun(age_ms: number, ci: Partial<CiContext> = {}): Promise<string> {
    now = new Date(today.getTime() - age_ms);
    const run = await database.db.inOrg(org_id, (trx) => scans.analysisRun.create(trx, org_id, { ...NO_CI, ...ci }));
    now = today;
    return run.id;
  }

  test('the list is newest first, and pages continue without gap or overlap', async () => {
    const ids = [];
    for (const age of [3, 2, 1]) ids.unshift(await makeRun(age * HOUR));

    const pages = [];
    for (const offset of [0, 1, 2]) pages.push(...(await scans.list(org_id, {}, { limit: 1, offset })).scans);

    expect(pages.map((run) => run.id)).toEqual(ids);
  });

  test('on the free plan runs older than 24 hours are neither listed nor counted, but can be read by id', async () => {
    const old = await makeRun(25 * HOUR);
    const young = await makeRun(23 * HOUR);

    const free = await scans.list(org_id, {}, everything);
    await setPlan('team');
    const team = await scans.list(org_id, {}, everything);

    expect(free).toMatchObject({ scans: [{ id: young }], total: 1 });
    expect(team.total).toBe(2);
    expect((await scans.get(org_id, old)).run.id).toBe(old);
  });

  test('filters apply to both the list and the total', async () => {
    await setPlan('team');
    const matching = await makeRun(HOUR, { repo_owner: 'acme', repo_name: 'infra', pr_number: 7 });
    await makeRun(HOUR, { repo_owner: 'acme', repo_name: 'infra', pr_number: 8 });

    const page = await scans.list(org_id, { repo_owner: 'acme', pr_number: 7 }, everything);

    expect(page).toMatchObject({ scans: [{ id: matching }], total: 1 });
  });

  test.each([
    ['https://ci:glpat-1@gitlab.com/acme/infra', 'https://gitlab.com/acme/infra'],
    ['https://gitlab.com/acme/infra?private_token=glpat-1', 'https://gitlab.com/acme/infra'],
    ['https://gitlab.com/acme/infra?ref=main', 'https://gitlab.com/acme/infra?ref=main'],
    ['https://user:to/ken@gitlab.com/acme', null],
  ])('the repository address %s is stored as %s', async (repo_url, kept) => {
    const id = await makeRun(HOUR, { repo_url });

    expect((await scans.get(org_id, id)).run.repo_url).toBe(kept);
  });

  test('the stored total equals a count, also after retention deleted rows', async () => {
    await setPlan('team');
    for (const age of [1, 399, 401, 500])
      await database
        .admin_db('scan_runs')
        .where({ id: await makeRun(age * DAY) })
        .update({
          status: 'done',
          finished_at: today,
        });
    expect((await scans.list(org_id, {}, everything)).total).toBe(4);

    await scans.deleteExpired();

    const page = await scans.list(org_id, {}, everything);
    expect(page.total).toBe(2);
    expect(page.scans).toHaveLength(2);
  });

  test('a free organization keeps its runs for 90 days, and an unfinished run is never deleted', async () => {
    const kept = await makeRun(89 * DAY);
    const gone = await makeRun(91 * DAY);
    const unfinished = await makeRun(91 * DAY);
    await database.admin_db('scan_runs').whereIn('id', [kept, gone]).update({ status: 'done', finished_at: today });

    await scans.deleteExpired();

    await expect(scans.get(org_id, gone)).rejects.toMatchObject({ status: 404 });
    expect((await scans.get(org_id, kept)).run.id).toBe(kept);
    expect((await scans.get(org_id, unfinished)).run.id).toBe(unfinished);
  });

  test('a run of another organization is 404', async () => {
    const id = await makeRun(HOUR);

    await expect(scans.get('00000000-0000-7000-8000-000000000000', id)).rejects.toMatchObject({ status: 404 });
  });
});

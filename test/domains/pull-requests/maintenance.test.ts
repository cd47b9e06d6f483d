import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pullRequestSweeps } from '../../../server/domains/pull-requests/jobs.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { buildPlan, buildRun, NEVER, observed, pullRequestsSetup } from './setup.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let setup: ReturnType<typeof pullRequestsSetup>;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  setup = pullRequestsSetup(database);
  await database.admin('delete from pull_requests');
});
afterAll(() => database.close());

async function sweep(name: 'remind' | 'delete-old' | 'delete-payloads') {
  setup.enqueued.length = 0;
  await pullRequestSweeps(setup.pullRequests)
    .find((found) => found.name === `pull-requests.${name}`)
    ?.run();
  return setup.enqueued.map(({ id }) => id);
}

test('an unprocessed pull request is queued again, repeatedly', async () => {
  const { payload, id, org_id } = await setup.tracked();
  setup.pass(30_000);
  expect(await sweep('remind')).toEqual([]);
  setup.pass(1);
  expect(await sweep('remind')).toEqual([id]);
  expect(setup.enqueued).toEqual([{ org_id, id }]);
  setup.pass(MINUTE_MS);
  expect(await sweep('remind')).toEqual([]);
  setup.pass(4 * MINUTE_MS + 1);
  expect(await sweep('remind')).toEqual([id]);

  await setup.pullRequests.runUnderLease(payload, async () => {}, NEVER);
  setup.pass(DAY_MS);
  expect(await sweep('remind')).toEqual([]);
});

test('a pull request that keeps failing is queued less often, down to once an hour', async () => {
  const { id } = await setup.tracked();
  setup.pass(100 * MINUTE_MS);
  expect(await sweep('remind')).toEqual([id]);
  setup.pass(10 * MINUTE_MS);
  expect(await sweep('remind')).toEqual([]);
  setup.pass(2 * MINUTE_MS);
  expect(await sweep('remind')).toEqual([id]);

  setup.pass(20 * DAY_MS);
  expect(await sweep('remind')).toEqual([id]);
  setup.pass(HOUR_MS);
  expect(await sweep('remind')).toEqual([]);
  setup.pass(1);
  expect(await sweep('remind')).toEqual([id]);
});

test('a pull request of a dead worker is queued again, but not one of a live worker', async () => {
  const { id } = await setup.tracked();
  const lease_until = new Date(setup.clock.now.getTime() + MINUTE_MS);
  await database.admin_db('pull_requests').where({ id }).update({ lease_token: newId(), lease_until });

  setup.pass(MINUTE_MS + 30_000);
  expect(await sweep('remind')).toEqual([]);
  setup.pass(1);
  expect(await sweep('remind')).toEqual([id]);
});

test('a pull request whose wake-up time has passed is queued again', async () => {
  const { id, payload } = await setup.tracked();
  const at = new Date(setup.clock.now.getTime() + HOUR_MS);
  await setup.pullRequests.runUnderLease(payload, ({ wakeAt }) => wakeAt(at), NEVER);

  setup.pass(HOUR_MS + 30_000);
  expect(await sweep('remind')).toEqual([]);
  setup.pass(1);
  expect(await sweep('remind')).toEqual([id]);
});

test('hundreds of pull requests are all queued again', async () => {
  const { org_id, source } = await setup.tracked();
  for (let pr_number = 100; pr_number < 350; pr_number += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        setup.pullRequests.track(org_id, source, observed({ pr_number: pr_number + i })),
      ),
    );
  }
  setup.pass(MINUTE_MS);

  expect(new Set(await sweep('remind')).size).toBe(251);
});

test('closed pull requests are deleted after ninety days without events, open ones after a year, with their plans', async () => {
  const start = setup.clock.now;
  const open = await setup.tracked();
  const merged = await setup.tracked({ state: 'merged' });
  for (const { org_id, id } of [open, merged]) {
    await setup.pullRequests.addPlans(org_id, id, buildRun(1), [buildPlan('a', 'x')]);
  }
  const left = async (days: number) => {
    setup.clock.now = new Date(start.getTime() + days * DAY_MS + 1);
    await sweep('delete-old');
    return {
      pull_requests: (await database.admin_db('pull_requests').pluck('id')).sort(),
      plans: (await database.admin_db('pull_request_plans').pluck('pull_request_id')).sort(),
    };
  };

  expect((await left(89)).plans).toEqual([open.id, merged.id]);
  expect(await left(90)).toEqual({ pull_requests: [open.id], plans: [open.id] });
  expect((await left(364)).plans).toEqual([open.id]);
  expect(await left(365)).toEqual({ pull_requests: [], plans: [] });
});

test('stored plans are deleted if no row refers to them, or after a week', async () => {
  const { org_id, id } = await setup.tracked();
  await setup.pullRequests.addPlans(org_id, id, buildRun(1), [buildPlan('a', 'x')]);
  const [named] = [...setup.stored.keys()];
  const orphan = `pull-request-plans/${org_id}/${newId()}`;
  await setup.blobs.put(orphan, Buffer.from('of a crash'));
  await setup.blobs.put('plans/of/another', Buffer.from('domain'));
  const left = async (ms: number) => {
    setup.pass(ms);
    await sweep('delete-payloads');
    return [...setup.stored.keys()];
  };

  expect(await left(HOUR_MS)).toEqual([named, orphan, 'plans/of/another']);
  expect(await left(1)).toEqual([named, 'plans/of/another']);
  expect(await left(7 * DAY_MS)).toEqual(['plans/of/another']);
});

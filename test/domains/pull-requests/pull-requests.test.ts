import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PlanSnapshot } from '../../../engine/index.ts';
import type { HeldPullRequest } from '../../../server/domains/pull-requests/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { buildPlan, buildRun, makeSource, NEVER, observed, pullRequestsSetup, sha } from './setup.ts';

let database: TestDatabase;
let setup: ReturnType<typeof pullRequestsSetup>;
beforeAll(async () => {
  database = await openTestDatabase();
  setup = pullRequestsSetup(database);
});
afterAll(() => database.close());

const SNAPSHOT: PlanSnapshot = { risk_level: 'high', total: 1, by_action: {}, known_noise: 0, notable: [] };

type Tracked = Awaited<ReturnType<typeof setup.tracked>>;

/** What a worker receives and can write. */
async function held({ payload }: Tracked, use: (held: HeldPullRequest) => Promise<void> = async () => {}) {
  let received: HeldPullRequest | undefined;
  await setup.pullRequests.runUnderLease(
    payload,
    async (given) => {
      received = given;
      await use(given);
    },
    NEVER,
  );
  if (received === undefined) throw new Error('there was nothing to publish');
  return received;
}

const summarizePlans = ({ plans }: HeldPullRequest) =>
  plans.map(({ plan_key, run_number, status }) => [plan_key, run_number, status]);
const listKeys = (tracked: Tracked) => [...setup.stored.keys()].filter((key) => key.includes(tracked.org_id));

describe('a pull request', () => {
  test('twenty concurrent notifications create one row, and each one counts', async () => {
    const { org_id, source } = await makeSource(database);

    const rows = await Promise.all(
      Array.from({ length: 20 }, () => setup.pullRequests.track(org_id, source, observed())),
    );

    const [id = '', ...others] = new Set(rows.map((row) => row.id));
    expect(others).toEqual([]);
    expect(await setup.findRow(id)).toMatchObject({ revision: 20, published_revision: 0 });
    expect(setup.enqueued.filter((job) => job.id === id)).toHaveLength(20);
  });

  test('a pull request stores the latest data of its host, and when its head changed', async () => {
    const { org_id, source, pull_request } = await setup.tracked();
    setup.pass(60_000);
    const same = await setup.pullRequests.track(org_id, source, observed({ branch: null, state: 'closed' }));
    const moved = await setup.pullRequests.track(org_id, source, {
      ...observed({ head_sha: sha(2) }),
      extra: 1,
    } as never);

    expect(same).toMatchObject({ id: pull_request.id, branch: null, state: 'closed', published: null, answers: [] });
    expect(same.head_changed_at).toEqual(pull_request.head_changed_at);
    expect(moved.head_changed_at).toEqual(setup.clock.now);
    expect(await setup.pullRequests.find(org_id, source, 'acme/infra', 7)).toEqual(moved);
    expect(await setup.pullRequests.find(org_id, source, 'acme/infra', 8)).toBeUndefined();
  });

  test('a pull request of another organization cannot be found, changed or leased', async () => {
    const ours = await setup.tracked();
    const theirs = await setup.tracked();
    const { org_id, id } = { org_id: ours.org_id, id: theirs.id };
    const { pullRequests } = setup;
    await pullRequests.addPlans(theirs.org_id, theirs.id, buildRun(1), [buildPlan('a', 'x')]);
    const before = await setup.findRow(id);
    const stored = setup.stored.size;

    expect(await pullRequests.find(org_id, theirs.source, 'acme/infra', 7)).toBeUndefined();
    expect(await pullRequests.findPlans(org_id, id)).toEqual([]);
    await expect(pullRequests.setQuiet(org_id, id, true)).rejects.toMatchObject({ status: 404 });
    await expect(pullRequests.addPlans(org_id, id, buildRun(2), [buildPlan('a', 'y')])).rejects.toMatchObject({
      status: 404,
    });
    expect(await pullRequests.addAnswer(org_id, id, { comment_id: '1', author: 'a', title: '', body: '' })).toBe(false);
    await pullRequests.runUnderLease({ org_id, id }, () => Promise.reject(new Error('failed')), NEVER);
    expect(await setup.findRow(id)).toEqual(before);
    expect(setup.stored.size).toBe(stored);
  });

  test('a command comment is answered once, and the newest hundred are remembered', async () => {
    const { org_id, id } = await setup.tracked();
    const answer = (n: number) => ({ comment_id: `c${n}`, author: 'dev', title: `${n}`, body: '' });
    const add = (n: number) => setup.pullRequests.addAnswer(org_id, id, answer(n));

    const at_once = await Promise.all(Array.from({ length: 5 }, () => add(0)));
    for (let n = 1; n <= 101; n += 1) await add(n);

    expect(at_once.filter((is_new) => is_new)).toHaveLength(1);
    expect(await add(101)).toBe(false);
    expect((await setup.findRow(id)).answers).toEqual(
      Array.from({ length: 100 }, (_, n) => ({ ...answer(n + 2), state: 'new' })),
    );
    expect((await setup.findRow(id)).revision).toBe(103);
  });

  test('a posted reply stores only the comment it answers, and keeps replies added in the meantime', async () => {
    const tracked = await setup.tracked();
    const { org_id, id } = tracked;
    const answer = (n: number) => ({ comment_id: `c${n}`, author: 'dev', title: `${n}`, body: 'Text.' });
    for (const n of [1, 2]) await setup.pullRequests.addAnswer(org_id, id, answer(n));

    await held(tracked, async ({ markAnswer }) => {
      await setup.pullRequests.addAnswer(org_id, id, answer(3));
      await markAnswer('c1', 'posting');
      await markAnswer('c2', 'posted');
    });

    expect((await setup.findRow(id)).answers).toEqual([
      { ...answer(1), state: 'posting' },
      { comment_id: 'c2', state: 'posted' },
      { ...answer(3), state: 'new' },
    ]);
    expect(await setup.pullRequests.addAnswer(org_id, id, answer(2))).toBe(false);
  });
});

describe('the plans of a pull request', () => {
  test('plans are stored encrypted until they were read', async () => {
    const tracked = await setup.tracked();
    await setup.pullRequests.addPlans(tracked.org_id, tracked.id, buildRun(1), [
      buildPlan('b', 'two'),
      buildPlan('a', 'one'),
    ]);
    expect(listKeys(tracked)).toHaveLength(2);

    await held(tracked, async ({ plans, readPayload, updatePlan }) => {
      const [a, b] = plans as [HeldPullRequest['plans'][0], HeldPullRequest['plans'][0]];
      expect([a.plan_key, String(await readPayload(a)), String(await readPayload(b))]).toEqual(['a', 'one', 'two']);
      await updatePlan(a, { status: 'done', snapshot: SNAPSHOT });
      expect([a.status, await readPayload(a)]).toEqual(['done', undefined]);
      await updatePlan(b, { status: 'deferred', due_at: new Date('2026-05-04T00:00:00.000Z'), error: 'used up' });
    });

    const found = await setup.pullRequests.findPlans(tracked.org_id, tracked.id);
    expect(found).toMatchObject([
      { plan_key: 'a', status: 'done', snapshot: SNAPSHOT, due_at: null },
      { plan_key: 'b', status: 'deferred', error: 'used up', due_at: new Date('2026-05-04T00:00:00.000Z') },
    ]);
    expect(listKeys(tracked)).toEqual([`pull-request-plans/${tracked.org_id}/${found[1]?.id}`]);
  });

  test('plans of the newest run are used, in whatever order the runs arrive', async () => {
    const runs = [
      { run: buildRun(1, 1), keys: ['a', 'b'] },
      { run: buildRun(2, 1), keys: ['a'] },
      { run: buildRun(3, 2), keys: ['a', 'b'] },
      { run: buildRun(4, 2), keys: ['b'] },
      { run: buildRun(5, 3), keys: ['a'] },
    ];
    const ends = async (order: typeof runs, head: number, at_once: boolean) => {
      const tracked = await setup.tracked({ head_sha: sha(head) });
      const { org_id, id } = tracked;
      const add = ({ run, keys }: (typeof runs)[0]) =>
        setup.pullRequests.addPlans(
          org_id,
          id,
          run,
          keys.map((key) => buildPlan(key, `${key}${run.number}`)),
        );
      if (at_once) await Promise.all([...order, ...order].map(add));
      else for (const run of order) await add(run);
      const rows = await setup.listPlans(id);
      return {
        shown: summarizePlans(await held(tracked)),
        rows: rows.map((row) => [row.plan_key, row.head_sha, row.run_id, row.status, row.payload_key !== null]),
        kept: listKeys(tracked).length,
      };
    };
    const expected = {
      2: await ends(runs, 2, false),
      9: await ends(runs, 9, false),
    };
    expect(expected[2].shown).toEqual([
      ['a', 3, 'waiting'],
      ['b', 4, 'waiting'],
    ]);
    expect(expected[9].shown).toEqual([['a', 5, 'waiting']]);
    // The host has not reported yet that the fifth run is of the newest commit.
    expect([expected[2].kept, expected[9].kept]).toEqual([3, 1]);

    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(runs, { minLength: runs.length }),
        fc.constantFrom(2 as const, 9 as const),
        fc.boolean(),
        async (order, head, at_once) => expect(await ends(order, head, at_once)).toEqual(expected[head]),
      ),
      { numRuns: 12 },
    );
  });

  test('plans of the same run change nothing, unless they are requested again', async () => {
    const tracked = await setup.tracked();
    const { org_id, id } = tracked;
    const add = (run: number, options?: { again: boolean }) =>
      setup.pullRequests.addPlans(org_id, id, buildRun(run), [buildPlan('a', 'one')], options);
    await add(3);
    await held(tracked, ({ plans: [plan], updatePlan }) =>
      updatePlan(plan as never, { status: 'done', job_id: newId(), snapshot: SNAPSHOT }),
    );
    const before = await setup.listPlans(id);

    await add(3);
    await add(2, { again: true });
    expect(await setup.listPlans(id)).toEqual(before);

    await add(3, { again: true });
    const [row] = await setup.listPlans(id);
    expect(row).toMatchObject({ status: 'waiting', job_id: null, snapshot: null, finished_at: null });
    expect(row.id).not.toBe(before[0].id);
  });

  test('a plan equal to an analyzed one reuses its job', async () => {
    const tracked = await setup.tracked();
    const { org_id, id, source } = tracked;
    const [job_id, scan_run_id] = [newId(), newId()];
    await setup.pullRequests.addPlans(org_id, id, buildRun(1), [buildPlan('a', 'same'), buildPlan('b', 'other')]);
    await held(tracked, ({ plans: [plan], updatePlan }) =>
      updatePlan(plan as never, { status: 'submitted', job_id, scan_run_id }),
    );
    await setup.pullRequests.track(org_id, source, observed({ head_sha: sha(2) }));

    await setup.pullRequests.addPlans(org_id, id, buildRun(2, 2), [buildPlan('a', 'same'), buildPlan('c', 'other')]);

    const { plans, readPayload } = await held(tracked);
    expect(plans).toMatchObject([
      { plan_key: 'a', status: 'submitted', job_id, scan_run_id },
      { plan_key: 'c', status: 'waiting', job_id: null },
    ]);
    expect(String(await readPayload(plans[0] as never))).toBe('same');

    await setup.pullRequests.addPlans(org_id, id, buildRun(3, 2), [buildPlan('a', 'same')], { again: true });
    expect((await held(tracked)).plans[0]).toMatchObject({ status: 'waiting', job_id: null, run_number: 3 });
  });

  test('a plan that could not be read fails immediately', async () => {
    const { org_id, id } = await setup.tracked();
    const broken = { plan_key: 'a', error: 'The artifact holds no plan.' };

    await setup.pullRequests.addPlans(org_id, id, buildRun(1), [broken, buildPlan('b', 'x'), buildPlan('b', 'y')]);

    expect(await setup.pullRequests.findPlans(org_id, id)).toMatchObject([
      { status: 'failed', error: broken.error, plan_hash: null },
      { status: 'waiting', plan_hash: buildPlan('b', 'y').plan_hash },
    ]);
  });

  test('plans of an older commit that were not submitted are superseded, and their results are kept for comparison', async () => {
    const tracked = await setup.tracked();
    const { org_id, id, source } = tracked;
    const { pullRequests } = setup;
    await pullRequests.addPlans(org_id, id, buildRun(1), [
      buildPlan('a', 'a1'),
      buildPlan('b', 'b1'),
      buildPlan('c', 'c1'),
    ]);
    const first = await held(tracked, async ({ plans: [a, b], updatePlan }) => {
      await updatePlan(a as never, { status: 'done', snapshot: SNAPSHOT });
      await updatePlan(b as never, { status: 'deferred', due_at: null });
    });
    expect(first.previous).toEqual(new Map());

    await pullRequests.track(org_id, source, observed({ head_sha: sha(2) }));
    expect(summarizePlans(await held(tracked))).toEqual([
      ['a', 1, 'done'],
      ['b', 1, 'deferred'],
      ['c', 1, 'waiting'],
    ]);

    await pullRequests.addPlans(org_id, id, buildRun(2, 2), [buildPlan('a', 'a2')]);
    const second = await held(tracked, async ({ plans: [a], updatePlan }) => {
      await updatePlan(first.plans[2] as never, { status: 'submitted', job_id: newId() }); // too late
      await updatePlan(a as never, { status: 'done', snapshot: { ...SNAPSHOT, total: 2 } });
    });
    expect(summarizePlans(second)).toEqual([['a', 2, 'done']]);
    expect(second.previous).toEqual(new Map([['a', SNAPSHOT]]));
    expect((await setup.listPlans(id)).map((row) => [row.plan_key, row.status, row.payload_key])).toEqual([
      ['a', 'done', null],
      ['a', 'done', null],
      ['b', 'superseded', null],
      ['c', 'superseded', null],
    ]);
    expect(listKeys(tracked)).toEqual([]);

    await pullRequests.track(org_id, source, observed({ head_sha: sha(3) }));
    await pullRequests.addPlans(org_id, id, buildRun(3, 3), [buildPlan('a', 'a3')]);
    expect((await held(tracked)).previous.get('a')?.total).toBe(2);
  });

  test('plans of a newer run stay if an older commit is reported late, and are shown when it is the head again', async () => {
    const { source, org_id, id } = await setup.tracked({ head_sha: sha(2) });
    const { pullRequests } = setup;
    await pullRequests.addPlans(org_id, id, buildRun(20, 2), [buildPlan('a', 'newer')]);
    await pullRequests.track(org_id, source, observed({ head_sha: sha(1) }));
    await pullRequests.addPlans(org_id, id, buildRun(10, 1), [buildPlan('a', 'older')]);
    await pullRequests.track(org_id, source, observed({ head_sha: sha(2) }));
    expect(await pullRequests.findPlans(org_id, id)).toMatchObject([{ head_sha: sha(2), status: 'waiting' }]);
  });

  test('a plan that could not be written leaves no blob behind', async () => {
    const { org_id, id } = await setup.tracked();
    const before = [...setup.stored.keys()];

    await expect(
      setup.pullRequests.addPlans(org_id, id, { ...buildRun(1), id: 'no\0text' }, [
        buildPlan('a', 'x'),
        buildPlan('b', 'y'),
      ]),
    ).rejects.toMatchObject({ code: '22021' });

    expect([...setup.stored.keys()]).toEqual(before);
    expect(await setup.listPlans(id)).toEqual([]);
  });

  test('a plan that another run replaced during processing is not changed', async () => {
    const tracked = await setup.tracked();
    const { org_id, id } = tracked;
    await setup.pullRequests.addPlans(org_id, id, buildRun(1), [buildPlan('a', 'old')]);

    const rounds: unknown[] = [];
    await held(tracked, async (given) => {
      rounds.push(summarizePlans(given));
      if (rounds.length > 1) return;
      await setup.pullRequests.addPlans(org_id, id, buildRun(2), [buildPlan('a', 'new')]);
      await given.updatePlan(given.plans[0] as never, { status: 'done', job_id: newId() });
    });

    expect(rounds).toEqual([[['a', 1, 'waiting']], [['a', 2, 'waiting']]]);
    expect(await setup.listPlans(id)).toMatchObject([{ run_id: 'run-2', status: 'waiting', job_id: null }]);
    expect(listKeys(tracked)).toHaveLength(1);
  });
});

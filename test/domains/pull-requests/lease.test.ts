import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { createJobRunner } from '../../../server/domains/jobs/run-service.ts';
import { type HeldPullRequest, LeaseLost } from '../../../server/domains/pull-requests/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { buildPlan, buildRun, makeSource, NEVER, observed, pullRequestsSetup } from './setup.ts';

const LEASE_MS = 60_000;
const nothing = async () => {};

let database: TestDatabase;
let setup: ReturnType<typeof pullRequestsSetup>;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => {
  setup = pullRequestsSetup(database, LEASE_MS);
});
afterAll(() => database.close());

/** A promise and the function that resolves it. */
function signalled() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
}

describe('a pull request under a lease', () => {
  test('a pull request is published by one process at a time, and no event is missed', async () => {
    const { payload, org_id, id } = await setup.tracked();
    const script = fc.array(fc.record({ wakes: fc.integer({ min: 0, max: 3 }), ticks: fc.nat(6) }), { maxLength: 8 });

    await fc.assert(
      fc.asyncProperty(script, fc.nat(4), async (steps, publish_ticks) => {
        let [clock, publishing, last_wake, last_publish] = [0, 0, 0, 0];
        const publish = async () => {
          publishing += 1;
          last_publish = ++clock;
          expect(publishing).toBe(1);
          for (let ticks = 0; ticks < publish_ticks; ticks += 1) await turn();
          publishing -= 1;
        };
        /** Like the queue: a job for every event. */
        const wakeAndWork = async () => {
          last_wake = ++clock;
          await setup.pullRequests.setQuiet(org_id, id, false);
          await setup.pullRequests.runUnderLease(payload, publish, NEVER);
        };
        const running: Promise<void>[] = [wakeAndWork()];
        for (const { wakes, ticks } of steps) {
          for (let i = 0; i < ticks; i += 1) await turn();
          for (let i = 0; i < wakes; i += 1) running.push(wakeAndWork());
        }
        await Promise.all(running);

        const { revision, published_revision, lease_token } = await setup.findRow(id);
        expect({ published_revision, lease_token }).toEqual({ published_revision: revision, lease_token: null });
        expect(last_publish).toBeGreaterThan(last_wake);
      }),
      { numRuns: 15 },
    );
  });

  test('a pull request is published again after an event during publishing', async () => {
    const { payload, org_id, id } = await setup.tracked();
    const quiet: boolean[] = [];

    await setup.pullRequests.runUnderLease(
      payload,
      async ({ pull_request }) => {
        quiet.push(pull_request.is_quiet);
        if (quiet.length > 1) return;
        await setup.pullRequests.setQuiet(org_id, id, true);
        await setup.pullRequests.runUnderLease(
          payload,
          () => Promise.reject(new Error('published twice concurrently')),
          NEVER,
        );
      },
      NEVER,
    );

    expect(quiet).toEqual([false, true]);
    await setup.pullRequests.runUnderLease(payload, () => Promise.reject(new Error('nothing has happened')), NEVER);
  });

  test('a pull request of a dead process is taken over, and that process writes nothing more', async () => {
    const { payload, org_id, id } = await setup.tracked();
    await setup.pullRequests.addPlans(org_id, id, buildRun(1), [buildPlan('a', 'x')]);
    const begun = signalled();
    const revived = signalled();
    const writes: unknown[] = [];
    const dead = setup.pullRequests.runUnderLease(
      payload,
      async ({ plans, update, updatePlan, wakeAt }) => {
        begun.happen();
        await revived.happened;
        const plan = plans[0] as (typeof plans)[0];
        const attempts = [
          update({ comment_id: 'dead' }),
          updatePlan(plan, { status: 'done' }),
          wakeAt(setup.clock.now),
        ];
        for (const attempt of await Promise.allSettled(attempts))
          if (attempt.status === 'rejected') writes.push(attempt.reason);
        expect([plan.status, setup.stored.size]).toEqual(['waiting', 1]);
      },
      NEVER,
    );
    await begun.happened;
    setup.pass(LEASE_MS - 1);
    await setup.pullRequests.runUnderLease(payload, () => Promise.reject(new Error('taken too early')), NEVER);
    setup.pass(1);

    await setup.pullRequests.runUnderLease(
      payload,
      async ({ update }) => {
        revived.happen();
        await dead;
        await update({ comment_id: 'alive' });
      },
      NEVER,
    );

    expect(writes).toEqual([expect.any(LeaseLost), expect.any(LeaseLost), expect.any(LeaseLost)]);
    expect(await setup.findRow(id)).toMatchObject({
      comment_id: 'alive',
      lease_token: null,
      published_revision: 2,
      revision: 2,
    });
    expect(await setup.listPlans(id)).toMatchObject([{ status: 'waiting' }]);
  });

  test('a pull request is released when publishing fails, and its events are kept', async () => {
    const { payload, id } = await setup.tracked();
    const failure = new Error('the host is away');

    await expect(setup.pullRequests.runUnderLease(payload, () => Promise.reject(failure), NEVER)).rejects.toBe(failure);

    expect(await setup.findRow(id)).toMatchObject({
      revision: 1,
      published_revision: 0,
      lease_token: null,
      lease_until: null,
    });
    await setup.pullRequests.runUnderLease(payload, nothing, NEVER);
    expect(await setup.findRow(id)).toMatchObject({ revision: 1, published_revision: 1, lease_token: null });
  });

  test('the content of comment and check is stored', async () => {
    const { payload, id, source, org_id } = await setup.tracked();
    const published = {
      comment_hash: 'c',
      check_hash: null,
      head_sha: 'h',
      run: 3,
      risk_level: null,
      warned_of: null,
    };

    await setup.pullRequests.runUnderLease(
      payload,
      async ({ update, pull_request }) => {
        await update({ comment_id: '11', published });
        await update({ check_id: '12', check_sha: 'h' });
        expect(pull_request).toMatchObject({ comment_id: '11', published, check_id: '12', check_sha: 'h' });
        await update({ comment_id: null });
      },
      NEVER,
    );

    const found = await setup.pullRequests.find(org_id, source, 'acme/infra', 7);
    expect(found).toMatchObject({ id, comment_id: null, published, check_id: '12' });
  });

  test('the lease is released when the process ends', async () => {
    const { payload, id, org_id } = await setup.tracked();
    const shutdown = new AbortController();

    const working = setup.pullRequests.runUnderLease(
      payload,
      async ({ signal }) => {
        await setup.pullRequests.setQuiet(org_id, id, false);
        shutdown.abort();
        expect(signal.aborted).toBe(true);
      },
      shutdown.signal,
    );

    await expect(working).rejects.toMatchObject({ name: 'AbortError' });
    expect(await setup.findRow(id)).toMatchObject({ revision: 2, published_revision: 1, lease_token: null });
  });
});

describe('a lease', () => {
  /** Runs until its signal aborts. */
  const begin = (work: typeof setup.pullRequests.runUnderLease, payload: { org_id: string; id: string }) => {
    const begun = signalled();
    let given: HeldPullRequest | undefined;
    const done = work(
      payload,
      async (held) => {
        given = held;
        begun.happen();
        await new Promise((resolve) => held.signal.addEventListener('abort', resolve));
        held.signal.throwIfAborted();
      },
      NEVER,
    );
    return { done, begun: begun.happened, held: () => given as HeldPullRequest };
  };

  test('a lease is renewed while the work runs, and its loss is reported', async () => {
    const lease_ms = 900;
    setup = pullRequestsSetup(database, lease_ms);
    const { payload, id } = await setup.tracked();
    const { done, begun, held } = begin(setup.pullRequests.runUnderLease, payload);
    await begun;
    await wait(lease_ms);
    setup.pass(10_000);
    const until = setup.clock.now.getTime() + lease_ms;
    while ((await setup.findRow(id)).lease_until.getTime() < until) await wait(20);
    expect(held().signal.aborted).toBe(false);

    const token = newId();
    await database.admin_db('pull_requests').where({ id }).update({ lease_token: token });

    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
    expect((await setup.findRow(id)).lease_token).toBe(token);
  });

  test('a lease that cannot be renewed ends the work before another process can start', async () => {
    const cut = { away: false };
    const { inOrg } = database.db;
    const db: typeof database.db = {
      ...database.db,
      inOrg: (orgId, use) => (cut.away ? new Promise(() => {}) : inOrg(orgId, use)),
    };
    setup = pullRequestsSetup({ ...database, db }, 90);
    const { payload, id } = await setup.tracked();
    const { begun, held } = begin(setup.pullRequests.runUnderLease, payload);
    await begun;
    cut.away = true;

    const { signal } = held();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));

    expect((await setup.findRow(id)).lease_token).not.toBeNull();
  });
});

describe('a wake-up time', () => {
  const at = (ms: number) => new Date(setup.clock.now.getTime() + ms);
  const wakes = ({ id }: { id: string }) => setup.enqueued.filter((job) => job.id === id && job.at !== undefined);

  test('the earliest requested wake-up time is used, and counts as an event', async () => {
    const tracked = await setup.tracked();
    const { payload, id } = tracked;
    const [late, early] = [at(60_000), at(30_000)];
    await setup.pullRequests.runUnderLease(
      payload,
      async ({ wakeAt }) => {
        await wakeAt(late);
        await wakeAt(early);
        await wakeAt(late);
      },
      NEVER,
    );
    expect(wakes(tracked).map((job) => job.at)).toEqual([late, early]);
    expect((await setup.findRow(id)).wake_at).toEqual(early);

    setup.pass(29_999);
    await setup.pullRequests.runUnderLease(payload, () => Promise.reject(new Error('too early')), NEVER);
    setup.pass(1);
    const failed = setup.pullRequests.runUnderLease(payload, () => Promise.reject(new Error('away')), NEVER);
    await expect(failed).rejects.toThrow('away');
    expect(await setup.findRow(id)).toMatchObject({ revision: 2, published_revision: 1, wake_at: null });

    await setup.pullRequests.runUnderLease(payload, nothing, NEVER);
    expect(await setup.findRow(id)).toMatchObject({ revision: 2, published_revision: 2 });
  });

  test('the wake-up time is cleared by an earlier event', async () => {
    const { payload, org_id, id } = await setup.tracked();
    await setup.pullRequests.runUnderLease(payload, ({ wakeAt }) => wakeAt(at(60_000)), NEVER);
    await setup.pullRequests.setQuiet(org_id, id, false);
    await setup.pullRequests.runUnderLease(payload, nothing, NEVER);

    expect((await setup.findRow(id)).wake_at).toBeNull();
  });

  test('a wake-up time in the past is scheduled soon, and one that passes during publishing causes another round', async () => {
    const tracked = await setup.tracked();
    let rounds = 0;
    await setup.pullRequests.runUnderLease(
      tracked.payload,
      async ({ wakeAt }) => {
        rounds += 1;
        await wakeAt(at(-60_000));
        if (rounds === 1) setup.pass(1_000);
      },
      NEVER,
    );

    expect(rounds).toBe(2);
    expect(wakes(tracked).map((job) => job.at)).toEqual([setup.clock.now, at(1_000)]);
    expect((await setup.findRow(tracked.id)).lease_token).toBeNull();
  });
});

describe('the end of a job', () => {
  async function waitingFor(status = 'pending') {
    const { org_id, source, owner } = await makeSource(database);
    const { id } = await setup.pullRequests.track(org_id, source, observed());
    await setup.pullRequests.addPlans(org_id, id, buildRun(1), [buildPlan('a', 'x'), buildPlan('b', 'y')]);
    const job_id = newId();
    const job = { id: job_id, org_id, kind: 'analyze', status, created_by: owner.user.id, heartbeat_at: new Date() };
    await database.admin_db('llm_jobs').insert(job);
    const submit = ({ plans: [plan], updatePlan }: HeldPullRequest) =>
      updatePlan(plan as typeof plan & object, { status: 'submitted', job_id });
    return { org_id, id, payload: { org_id, id }, job_id, submit };
  }

  function createTestRunner(outcome: 'done' | 'error' | 'broken') {
    const { db } = database;
    const ends = {
      done: async () => ({ is_billed: false, write: nothing }),
      error: async () => ({ error_class: 'invalid_plan_json' as const, message: 'No plan.' }),
    };
    const analyze = { begin: nothing, run: ends[outcome === 'broken' ? 'done' : outcome], fail: nothing };
    return createJobRunner({
      db,
      now: () => setup.clock.now,
      log: pino({ level: 'silent' }),
      blobs: setup.blobs,
      quotas: { release: async () => false, settle: nothing },
      findHandler: () => analyze,
      onEnded: async (trx, { org_id, id }) => {
        await setup.pullRequests.enqueueWaitingFor(trx, org_id, id);
        if (outcome === 'broken') throw new Error('not to be committed');
      },
      heartbeat_ms: 60_000,
      concurrency: 4,
      enqueue: nothing,
    });
  }

  test.each(['done', 'error'] as const)(
    'a job that ends in %s wakes the pull request that waits for it',
    async (outcome) => {
      const { org_id, id, job_id, payload, submit } = await waitingFor();
      await setup.pullRequests.runUnderLease(payload, submit, NEVER);
      const { revision } = await setup.findRow(id);
      setup.enqueued.length = 0;

      await createTestRunner(outcome).run({ org_id, id: job_id }, NEVER);

      expect((await setup.findRow(id)).revision).toBe(revision + 1);
      expect(setup.enqueued).toEqual([payload]);
      expect((await database.admin_db('llm_jobs').where({ id: job_id }).first()).status).toBe(outcome);
    },
  );

  test('a job that is not committed or not waited for wakes no pull request', async () => {
    const { org_id, id, job_id, payload, submit } = await waitingFor();
    await setup.pullRequests.runUnderLease(payload, submit, NEVER);
    const { revision } = await setup.findRow(id);

    await expect(createTestRunner('broken').run({ org_id, id: job_id }, NEVER)).rejects.toThrow('not to be committed');
    setup.enqueued.length = 0;
    await database.db.inOrg(org_id, (trx) => setup.pullRequests.enqueueWaitingFor(trx, org_id, newId()));
    const other = await waitingFor();
    await database.db.inOrg(other.org_id, (trx) => setup.pullRequests.enqueueWaitingFor(trx, other.org_id, job_id));

    expect((await setup.findRow(id)).revision).toBe(revision);
    expect(setup.enqueued.filter((job) => job.id === id)).toEqual([]);
  });

  test('the end of a job is not missed if the plan is marked as submitted at the same time', async () => {
    const { org_id, job_id, payload, submit } = await waitingFor('running');
    const order: string[] = [];
    const ended = signalled();
    const ending = signalled();
    const ends = database.db.inOrg(org_id, async (trx) => {
      await trx('llm_jobs').where({ org_id, id: job_id }).update({ status: 'done', finished_at: setup.clock.now });
      await setup.pullRequests.enqueueWaitingFor(trx, org_id, job_id);
      ending.happen();
      await ended.happened;
      order.push('ended');
    });
    await ending.happened;

    const noted = setup.pullRequests.runUnderLease(payload, submit, NEVER).then(() => order.push('noted'));
    const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while (order.length === 0 && (await database.admin_db.raw(waits)).rowCount === 0) await wait(5);
    ended.happen();
    await Promise.all([ends, noted]);

    expect(order).toEqual(['ended', 'noted']);
  });
});

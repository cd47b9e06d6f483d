import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { quotaWindows } from '../../../server/domains/entitlements/index.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { type LlmUnderTest, OWN, setUpLlm } from './setup.ts';

const NOON = new Date('2026-05-01T12:00:00.000Z');
const WEEK = '2026-04-27T00:00:00.000Z';
const HOUR = '2026-05-01T12:00:00.000Z';

let at: LlmUnderTest;
beforeAll(async () => {
  at = await setUpLlm();
});
afterAll(() => at.closeAll());
beforeEach(() => {
  at.clock.now = NOON;
});

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

describe('quota windows', () => {
  test.each([
    ['a Monday at midnight begins its week', '2026-01-05T00:00:00.000Z', '2026-01-05', '2026-01-12'],
    [
      'the last millisecond of a Sunday belongs to the week before',
      '2026-01-04T23:59:59.999Z',
      '2025-12-29',
      '2026-01-05',
    ],
    [
      'the first of January may belong to the last week of the year before',
      '2027-01-01T12:00:00.000Z',
      '2026-12-28',
      '2027-01-04',
    ],
    [
      'the end of December may belong to the first week of the next year',
      '2024-12-31T00:00:00.000Z',
      '2024-12-30',
      '2025-01-06',
    ],
    ['a leap day is a day', '2028-02-29T00:00:00.000Z', '2028-02-28', '2028-03-06'],
  ])('%s', (_name, time, start, end) => {
    const { week_start, week_resets_at } = quotaWindows(new Date(time));

    expect([week_start, week_resets_at]).toEqual([new Date(start), new Date(end)]);
  });

  test('the hourly window is the clock hour', () => {
    const edges = ['2026-05-01T12:59:59.999Z', '2026-05-01T13:00:00.000Z'].map((time) => quotaWindows(new Date(time)));

    expect(edges.map(({ hour_start }) => hour_start.toISOString().slice(11, 16))).toEqual(['12:00', '13:00']);
    expect(edges[0]?.hour_resets_at).toEqual(edges[1]?.hour_start);
  });
});

describe('the four quota errors', () => {
  test('a used-up week is 402 with the larger plan and counts nothing', async () => {
    const { owner, org } = await at.makeOwner('free');
    for (let n = 0; n < 5; n += 1) await at.reserveJob(org, owner);

    const error = await refusal(at.reserveJob(org, owner));

    const slug = `org-${org.slice(-12)}`;
    expect([error.status, error.extra.body]).toEqual([
      402,
      {
        code: 'plan_weekly_quota_exhausted',
        error: 'plan_weekly_quota_exhausted',
        message: error.message,
        required_plan: 'team',
        used: 5,
        cap: 5,
        week_resets_at: '2026-05-04T00:00:00.000Z',
        byok_config_url: `https://dpa.example.com/orgs/${slug}/settings/llm`,
      },
    ]);
    expect(error.message).toContain('The 5 analyses of this week are used up. The quota resets on 2026-05-04');
    expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 5, [`hourly ${HOUR}`]: 5 });
  });

  test.each([
    ['weekly', 'llm_weekly'],
    ['hourly', 'llm_hourly'],
  ] as const)('a %s cap of zero means disabled on every plan', async (bucket, name) => {
    const { owner, org } = await at.makeOwner('team');
    await at.setLimit(org, name, 0);

    const error = await refusal(at.reserveJob(org, owner));

    const { code, required_plan, used, cap, bucket: shown, week_resets_at } = error.extra.body;
    expect([error.status, code, required_plan, used, cap, shown]).toEqual([402, 'plan_hard_off', null, 0, 0, bucket]);
    expect(week_resets_at).toBe('2026-05-04T00:00:00.000Z');
    expect(error.message).toContain('Platform analyses are disabled for the team plan');
    expect(Object.values(await at.used(org)).filter((used) => used > 0)).toEqual([]);
  });

  test('if both caps are zero the error names the weekly one', async () => {
    const { owner, org } = await at.makeOwner('free');
    await at.setLimit(org, 'llm_weekly', 0);
    await at.setLimit(org, 'llm_hourly', 0);

    const error = await refusal(at.reserveJob(org, owner));

    expect(error.extra.body).toMatchObject({ code: 'plan_hard_off', bucket: 'weekly' });
  });

  test('a used-up hour is 429 and releases the weekly reservation', async () => {
    const { owner, org } = await at.makeOwner('team');
    await at.setLimit(org, 'llm_hourly', 2);
    at.clock.now = new Date('2026-05-01T12:59:59.001Z');
    await at.reserveJob(org, owner);
    await at.reserveJob(org, owner);

    const error = await refusal(at.reserveJob(org, owner));

    expect([error.status, error.error_class, error.extra.retry_after]).toEqual([429, 'plan_hourly_rate_limit', 1]);
    expect(error.extra.body).toMatchObject({
      code: 'plan_hourly_rate_limit',
      error: 'plan_hourly_rate_limit',
      used: 2,
      cap: 2,
      hour_resets_at: '2026-05-01T13:00:00.000Z',
    });
    expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 2, [`hourly ${HOUR}`]: 2 });
  });

  test('a failing own account is 429 with the remaining seconds', async () => {
    const { owner, org } = await at.makeOwner('free');
    await at.llm.configs.put(owner, org, OWN);
    await at.database.admin_db('llm_breakers').insert({
      org_id: org,
      provider: OWN.provider,
      open_until: new Date(NOON.getTime() + 61_001),
      open_ms: 300_000,
    });

    const error = await refusal(at.reserveJob(org, owner));

    expect([error.status, error.error_class, error.extra.retry_after]).toEqual([429, 'byok_rate_limited', 62]);
  });
});

test('of fifty requests on two pools with five calls left, exactly five are allowed', async () => {
  const other = at.instance();
  const { owner, org } = await at.makeOwner('free');

  const counted = await outcomes(
    Array.from({ length: 50 }, (_, n) => at.reserveJob(org, owner, n % 2 === 0 ? at.llm : other)),
  );

  expect(counted).toEqual({ ok: 5, plan_weekly_quota_exhausted: 45 });
  expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 5, [`hourly ${HOUR}`]: 5 });
});

test('of fifty requests with three calls left in the hour, three are allowed and the week counts three', async () => {
  const { owner, org } = await at.makeOwner('team');
  await at.setLimit(org, 'llm_hourly', 3);

  const counted = await outcomes(Array.from({ length: 50 }, () => at.reserveJob(org, owner)));

  expect(counted).toEqual({ ok: 3, plan_hourly_rate_limit: 47 });
  expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 3, [`hourly ${HOUR}`]: 3 });
});

test('the next week and the next hour start at zero', async () => {
  const { owner, org } = await at.makeOwner('free');
  await at.setLimit(org, 'llm_weekly', 1);
  at.clock.now = new Date('2026-05-03T23:59:59.999Z');
  await at.reserveJob(org, owner);
  expect((await refusal(at.reserveJob(org, owner))).status).toBe(402);

  at.clock.now = new Date('2026-05-04T00:00:00.000Z');

  await at.reserveJob(org, owner);
  expect(await at.llm.quotas.usage(org)).toMatchObject({
    weekly_used: 1,
    weekly_cap: 1,
    hourly_used: 1,
    hourly_cap: -1,
  });
});

test('without a limit nothing is denied but usage is still counted', async () => {
  const { owner, org } = await at.makeOwner('enterprise');
  for (let n = 0; n < 7; n += 1) await at.reserveJob(org, owner);

  expect(await at.llm.quotas.usage(org)).toEqual({
    plan: 'enterprise',
    byok_configured: false,
    weekly_used: 7,
    weekly_cap: -1,
    week_resets_at: new Date('2026-05-04'),
    hourly_used: 7,
    hourly_cap: -1,
    hour_resets_at: new Date('2026-05-01T13:00:00Z'),
  });
});

test('an own account bypasses every quota and changes no counter', async () => {
  const { owner, org } = await at.makeOwner('free');
  await at.setLimit(org, 'llm_weekly', 0);
  await at.llm.configs.put(owner, org, OWN);

  const job = await at.reserveJob(org, owner);

  const [row] = await at.database.admin_db('llm_jobs').where({ id: job });
  expect(row.reservation).toBeNull();
  expect(await at.used(org)).toEqual({});
  expect((await at.llm.quotas.usage(org)).byok_configured).toBe(true);
});

test('a deployment without a model counts and denies nothing', async () => {
  const { owner, org } = await at.makeOwner('free');
  await at.setLimit(org, 'llm_weekly', 0);

  await at.reserveJob(org, owner, at.instance({ platform: null }));

  expect(await at.used(org)).toEqual({});
});

describe('quota reservations', () => {
  const release = (org: string, job: string) =>
    at.database.db.inOrg(org, (trx) => at.llm.quotas.release(trx, org, job));
  const settle = (org: string, job: string) => at.database.db.inOrg(org, (trx) => at.llm.quotas.settle(trx, org, job));

  test('a reservation is released once, also by concurrent releases', async () => {
    const { owner, org } = await at.makeOwner('free');
    const [job] = [await at.reserveJob(org, owner), await at.reserveJob(org, owner)];

    const done = await Promise.all(Array.from({ length: 8 }, () => release(org, job)));

    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 1, [`hourly ${HOUR}`]: 1 });
  });

  test('a reservation is released in its original windows, also after they have ended', async () => {
    const { owner, org } = await at.makeOwner('free');
    const old = await at.reserveJob(org, owner);
    at.clock.now = minutesLater(NOON, 7 * 24 * 60);
    await at.reserveJob(org, owner);

    await release(org, old);

    const next = ['weekly 2026-05-04T00:00:00.000Z', 'hourly 2026-05-08T12:00:00.000Z'].map((key) => [key, 1]);
    expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 0, [`hourly ${HOUR}`]: 0, ...Object.fromEntries(next) });
  });

  test('a settled reservation stays counted', async () => {
    const { owner, org } = await at.makeOwner('free');
    const job = await at.reserveJob(org, owner);
    await settle(org, job);

    expect(await release(org, job)).toBe(false);
    expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 1, [`hourly ${HOUR}`]: 1 });
  });

  test('another organization cannot release a reservation', async () => {
    const [ours, theirs] = [await at.makeOwner('free'), await at.makeOwner('free')];
    const job = await at.reserveJob(ours.org, ours.owner);

    expect(await release(theirs.org, job)).toBe(false);
    expect(await at.used(ours.org)).toEqual({ [`weekly ${WEEK}`]: 1, [`hourly ${HOUR}`]: 1 });
  });

  test('the sweep releases reservations only of jobs that ended without releasing them', async () => {
    const { owner, org } = await at.makeOwner('free');
    const [forgotten, fresh, running] = [
      await at.reserveJob(org, owner),
      await at.reserveJob(org, owner),
      await at.reserveJob(org, owner),
    ];
    const jobs = at.database.admin_db('llm_jobs');
    const ended = { status: 'error', error: 'x', error_class: 'internal' };
    await jobs
      .clone()
      .where({ id: forgotten })
      .update({ ...ended, finished_at: minutesLater(NOON, -2) });
    await jobs
      .clone()
      .where({ id: fresh })
      .update({ ...ended, finished_at: NOON });

    await at.llm.quotas.releaseForgotten();
    await at.llm.quotas.releaseForgotten();

    const states = await jobs
      .clone()
      .whereIn('id', [forgotten, fresh, running])
      .orderBy('id')
      .select('id', 'reservation');
    expect(Object.fromEntries(states.map(({ id, reservation }) => [id, reservation]))).toEqual({
      [forgotten]: 'released',
      [fresh]: 'held',
      [running]: 'held',
    });
    expect(await at.used(org)).toEqual({ [`weekly ${WEEK}`]: 2, [`hourly ${HOUR}`]: 2 });
  });

  test('a reservation is deleted sixty days later', async () => {
    const { owner, org } = await at.makeOwner('free');
    await at.reserveJob(org, owner);
    at.clock.now = minutesLater(NOON, 60 * 24 * 60);
    await at.llm.quotas.deleteOldBuckets();

    expect(Object.keys(await at.used(org))).toEqual([`hourly ${HOUR}`]);
  });
});

test('the limits of an organization show its usage', async () => {
  const { owner, org } = await at.makeOwner('free');
  await at.reserveJob(org, owner);

  const { limits } = await at.orgs.limits(org);

  expect(limits.filter(({ resource }) => resource.startsWith('llm_'))).toEqual([
    { resource: 'llm_weekly', limit: 5, used: 1 },
    { resource: 'llm_hourly', limit: -1, used: 1 },
  ]);
});

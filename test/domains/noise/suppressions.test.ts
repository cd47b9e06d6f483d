import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SuppressionInput } from '../../../server/domains/noise/types.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { DAY_MS, hashFingerprint, type NoiseSetup, noiseSetup, occurrence } from './setup.ts';

describe('suppressions of plan noise', () => {
  const start = new Date('2026-05-01T12:00:00.000Z');
  let database: TestDatabase;
  let setup: NoiseSetup;
  let admin: Principal;
  let org: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    setup = noiseSetup(database);
    admin = await makeUser(database.admin_db);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    org = await makeOrg(database.admin_db);
    setup.clock.now = start;
    setup.audit.events.length = 0;
  });

  const inDays = (days: number) => new Date(start.getTime() + days * DAY_MS);
  const buildAddress = (name: string) => `aws_ecs_service.${name}`;
  const input = (names: readonly string[], fields: Partial<SuppressionInput> = {}): SuppressionInput => ({
    fingerprints: names.map(hashFingerprint),
    resource_addresses: names.map(buildAddress),
    reason: 'autoscaled',
    duration: 'forever',
    ...fields,
  });
  const suppress = (names: readonly string[], fields: Partial<SuppressionInput> = {}, by = admin) =>
    setup.noise.suppressions.suppress(by, org, input(names, fields));
  async function suppressOne(name: string, fields: Partial<SuppressionInput> = {}) {
    const [one] = await suppress([name], fields);
    if (one === undefined) throw new Error('nothing was suppressed');
    return one;
  }
  const list = (include_expired = false, page = { limit: 50, offset: 0 }) =>
    setup.noise.suppressions.list(org, { include_expired }, page);
  const live = () => setup.noise.liveSuppressions(org);
  async function fill(count: number) {
    await database.admin_db.raw(
      `insert into noise_suppressions (id, org_id, pair_id, fingerprint, resource_address, reason, duration,
         is_false_positive, suppressed_by, created_at)
       select gen_random_uuid(), ?, gen_random_uuid(), md5(n::text), 'a.b' || n, 'r', 'forever', false, 'a@b.c', ?
       from generate_series(1, ?) n`,
      [org, start, count],
    );
  }

  test('each pair gets a suppression in the order of the request, and duplicates are merged', async () => {
    const names = ['b', 'a', 'b'];

    const made = await suppress(names, { duration: '7d', is_false_positive: true });

    const common = {
      resource_type: null,
      attribute: null,
      reason: 'autoscaled',
      duration: '7d',
      is_false_positive: true,
      suppressed_by: admin.user.email,
      created_at: start,
      expires_at: inDays(7),
      expired: false,
    };
    expect(made).toEqual(
      ['b', 'a'].map((name) => ({
        id: expect.any(String),
        fingerprint: hashFingerprint(name),
        resource_address: buildAddress(name),
        ...common,
      })),
    );
    expect(setup.audit.events).toEqual([
      {
        action: 'plan_noise.suppressed',
        org_id: org,
        actor_email: admin.user.email,
        detail: { suppression_ids: made.map((one) => one.id), duration: '7d', is_false_positive: true },
      },
    ]);
  });

  test('one fingerprint at two addresses is two pairs', async () => {
    const fingerprints = [hashFingerprint('a'), hashFingerprint('a')];

    expect(await suppress([], { fingerprints, resource_addresses: ['x.y', 'x.z'] })).toHaveLength(2);
  });

  test('lists of different lengths are rejected and nothing is written', async () => {
    const uneven = suppress(['a', 'b'], { resource_addresses: [buildAddress('a')] });

    await expect(uneven).rejects.toMatchObject({ status: 400, error_class: 'array_length_mismatch' });
    expect((await list()).total).toBe(0);
  });

  test.each([
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
  ] as const)('a suppression for %s expires after exactly that time', async (duration, days) => {
    const { id, fingerprint, resource_address, expires_at } = await suppressOne('a', { duration });

    expect(expires_at).toEqual(inDays(days));
    setup.clock.now = new Date(inDays(days).getTime() - 1);
    expect(await live()).toEqual([{ id, fingerprint, resource_address, expires_at: inDays(days).toISOString() }]);
    setup.clock.now = inDays(days);
    expect(await live()).toEqual([]);
  });

  test('a suppression without end does not expire', async () => {
    const { id, expires_at } = await suppressOne('a');

    setup.clock.now = inDays(5_000);
    expect(expires_at).toBeNull();
    expect(await live()).toMatchObject([{ id, expires_at: null }]);
  });

  test('suppressing a suppressed pair again keeps its id and updates it', async () => {
    const first = await suppressOne('a', { duration: '7d' });
    setup.clock.now = inDays(1);
    const other = await makeUser(database.admin_db);

    const [again] = await suppress(['a'], { reason: 'a bug', duration: 'forever', is_false_positive: true }, other);

    expect(again).toEqual({
      ...first,
      reason: 'a bug',
      duration: 'forever',
      is_false_positive: true,
      suppressed_by: other.user.email,
      created_at: inDays(1),
      expires_at: null,
    });
    expect((await list()).total).toBe(1);
  });

  test('a pair whose suppression has expired gets a new one, and the expired one is kept', async () => {
    const ended = await suppressOne('a', { duration: '7d' });
    setup.clock.now = inDays(7);
    const { id } = await suppressOne('a', { duration: '7d' });
    setup.clock.now = inDays(14);
    const { id: third } = await suppressOne('a');

    expect((await list()).suppressions.map((one) => one.id)).toEqual([third]);
    expect((await list(true)).suppressions.map((one) => [one.id, one.expired])).toEqual([
      [third, false],
      [id, true],
      [ended.id, true],
    ]);
    expect(await live()).toMatchObject([{ id: third }]);
  });

  test('type and attribute come from the latest analysis of the pair in any repository', async () => {
    for (const [repo, attribute] of [
      ['old', 'desired_count'],
      ['new', 'task_definition'],
    ] as const) {
      const at = repo === 'new' ? start : inDays(-1);
      await setup.analyze(org, [occurrence('a', { attribute })], { repo: ['acme', repo], at });
    }
    await setup.noise.settleAll();

    expect(await suppressOne('a')).toMatchObject({ resource_type: 'aws_ecs_service', attribute: 'task_definition' });
  });

  test('the pattern is hidden from the list only at the suppressed address', async () => {
    const elsewhere = occurrence('a', { address: 'aws_ecs_service.other' });
    for (let n = 0; n < 4; n += 1) await setup.analyze(org, [occurrence('a'), elsewhere]);
    await suppressOne('a', { duration: '7d' });
    const patterns = async (include_suppressed: boolean) =>
      (await setup.list(org, { include_suppressed })).patterns.map((one) => [one.resource_address, one.suppressed]);

    expect(await patterns(false)).toEqual([['aws_ecs_service.other', false]]);
    expect(await patterns(true)).toEqual([
      ['aws_ecs_service.a', true],
      ['aws_ecs_service.other', false],
    ]);
    setup.clock.now = inDays(7);
    expect(await patterns(false)).toEqual([
      ['aws_ecs_service.a', false],
      ['aws_ecs_service.other', false],
    ]);
  });

  test('after a suppression is deleted its pattern is listed again', async () => {
    for (let n = 0; n < 4; n += 1) await setup.analyze(org, [occurrence('a')]);
    const { id } = await suppressOne('a');
    setup.audit.events.length = 0;

    await setup.noise.suppressions.remove(admin, org, id);

    expect((await setup.list(org, { include_suppressed: false })).patterns).toMatchObject([{ suppressed: false }]);
    expect(await live()).toEqual([]);
    expect((await list(true)).total).toBe(0);
    expect(setup.audit.events).toEqual([
      {
        action: 'plan_noise.suppression_removed',
        org_id: org,
        actor_email: admin.user.email,
        detail: { suppression_id: id },
      },
    ]);
    expect((await suppressOne('a')).id).not.toBe(id);
  });

  test('an expired suppression can be deleted; an unknown, deleted or foreign one is 404', async () => {
    const { id } = await suppressOne('a', { duration: '7d' });
    const other = await makeOrg(database.admin_db);
    const remove = (org_id: string, one: string) => setup.noise.suppressions.remove(admin, org_id, one);
    setup.clock.now = inDays(8);

    await expect(remove(other, id)).rejects.toMatchObject({ status: 404 });
    await remove(org, id);
    await expect(remove(org, id)).rejects.toMatchObject({ status: 404 });
    await expect(remove(org, newId())).rejects.toMatchObject({ status: 404 });
  });

  test('the list is newest first, and includes expired suppressions only on request', async () => {
    for (const [day, name, duration] of [
      [0, 'short', '7d'],
      [1, 'long', '30d'],
      [2, 'forever', 'forever'],
    ] as const) {
      setup.clock.now = inDays(day);
      await suppressOne(name, { duration });
    }
    setup.clock.now = inDays(7);
    const shown = ({ suppressions, total }: Awaited<ReturnType<typeof list>>) => [
      total,
      suppressions.map((one) => [one.resource_address.split('.')[1], one.expired]),
    ];

    expect(shown(await list())).toEqual([
      2,
      [
        ['forever', false],
        ['long', false],
      ],
    ]);
    expect(shown(await list(true))).toEqual([
      3,
      [
        ['forever', false],
        ['long', false],
        ['short', true],
      ],
    ]);
    expect(shown(await list(true, { limit: 1, offset: 1 }))).toEqual([3, [['long', false]]]);
    expect(shown(await list(true, { limit: 1, offset: 3 }))).toEqual([3, []]);
  });

  test('deep pages continue without gap or overlap', async () => {
    await fill(450);
    const ids = [];
    for (const offset of [0, 200, 400]) {
      ids.push(...(await list(false, { limit: 200, offset })).suppressions.map((one) => one.id));
    }

    expect(new Set(ids).size).toBe(450);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  test('an organization can have 10,000 active suppressions; updates and expired ones do not count', async () => {
    await suppressOne('a', { duration: '7d' });
    await fill(9_998);
    await suppressOne('b');

    await expect(suppress(['b', 'c'])).rejects.toMatchObject({ status: 409, error_class: 'too_many_suppressions' });
    await suppress(['a', 'b'], { duration: '7d' });
    expect(await live()).toHaveLength(10_000);
    setup.clock.now = inDays(7);
    await suppress(['c', 'd']);
    expect(await live()).toHaveLength(10_000);
  });

  test('a hundred identical concurrent requests leave one active suppression for each pair', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => suppress(['a', 'b'])));

    const ids = new Set(answers.map((made) => made.map((one) => one.id).join()));
    expect(ids.size).toBe(1);
    expect((await list(true)).total).toBe(2);
  });

  test('concurrent requests with the same pairs in opposite order do not deadlock', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `n${n}`);
    const orders = [names, [...names].reverse()];

    await Promise.all(Array.from({ length: 20 }, (_, n) => suppress(orders[n % 2] ?? names)));

    expect((await list()).total).toBe(100);
  });

  test('of two concurrent requests for the last free suppression one succeeds', async () => {
    await fill(9_999);

    const answers = await Promise.allSettled(['a', 'b'].map((name) => suppress([name])));

    expect(answers.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await live()).toHaveLength(10_000);
  });

  test('an address that is too long for an index can be suppressed', async () => {
    const address = `module.${'x'.repeat(9_000)}`;

    expect(await suppressOne('a', { resource_addresses: [address] })).toMatchObject({ resource_address: address });
  });

  test('another organization sees no suppression', async () => {
    const { id } = await suppressOne('a');
    const other = await makeOrg(database.admin_db);

    expect(await setup.noise.liveSuppressions(other)).toEqual([]);
    const rows = await database.db.inOrg(other, async (trx) => trx('noise_suppressions'));
    expect(rows).toEqual([]);
    expect(await live()).toMatchObject([{ id }]);
  });

  test('expired and deleted suppressions are removed after 400 days; active ones are kept', async () => {
    await suppressOne('expired', { duration: '7d' });
    const { id } = await suppressOne('removed');
    await setup.noise.suppressions.remove(admin, org, id);
    await suppressOne('forever');
    const left = async () => {
      await setup.noise.deleteOld();
      return database.admin_db('noise_suppressions').where({ org_id: org }).orderBy('id').pluck('resource_address');
    };

    setup.clock.now = inDays(400);
    expect(await left()).toHaveLength(3);
    setup.clock.now = inDays(401);
    expect(await left()).toEqual([buildAddress('expired'), buildAddress('forever')]);
    setup.clock.now = inDays(408);
    expect(await left()).toEqual([buildAddress('forever')]);
  });
});

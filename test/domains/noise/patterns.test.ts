import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { builtinCatalog } from '../../../engine/index.ts';
import { noiseRoutes } from '../../../server/domains/noise/routes.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { openTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { DAY_MS, hashFingerprint, type NoiseSetup, noiseSetup, occurrence, type RunInput } from './setup.ts';

describe('recurring plan noise', () => {
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
    setup.warnings.length = 0;
  });

  const daysAgo = (days: number) => new Date(start.getTime() - days * DAY_MS);
  const everything = { include_suppressed: true };
  const list = (filter = {}) => setup.list(org, { ...everything, ...filter });
  /** Name and occurrences of each listed address. */
  const counts = async (filter = {}) =>
    (await list(filter)).patterns.map((one) => [one.resource_address.split('.')[1], one.occurrence_count]);
  const setSettings = (recurrence_threshold: number, window_days: number) =>
    setup.noise.patterns.updateSettings(admin, org, { recurrence_threshold, window_days });
  async function analyzeTimes(times: number, name: string, input: RunInput = {}) {
    for (let n = 0; n < times; n += 1) await setup.analyze(org, [occurrence(name)], input);
  }

  test('a pattern is listed if it occurred more often than the threshold', async () => {
    await analyzeTimes(3, 'three');
    await analyzeTimes(4, 'four');

    expect(await counts()).toEqual([['four', 4]]);
  });

  test('a fingerprint is listed with its most frequent address and the number of addresses', async () => {
    const same = { fingerprint: 'ab'.repeat(16) };
    for (const name of ['often', 'often', 'once']) {
      setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
      await setup.analyze(org, [occurrence(name, same)]);
    }

    await setup.noise.patterns.settlePending(org);
    const found = await setup.noise.patterns.find(org, same.fingerprint);
    expect(found).toMatchObject({ resource_address: occurrence('often').address, occurrence_count: 2 });
    expect(await setup.noise.patterns.countAddresses(org, same.fingerprint)).toBe(2);
  });

  test('the default threshold is 3 and the default window is 30 days', async () => {
    expect(await list()).toEqual({ patterns: [], settings: { recurrence_threshold: 3, window_days: 30 } });
  });

  test('a pattern shows the data of the last analysis', async () => {
    await setSettings(1, 30);
    const custom = newId();
    const at = [daysAgo(3), daysAgo(1)] as const;
    await setup.analyze(org, [occurrence('a')], { at: at[0] });
    await setup.analyze(
      org,
      [
        occurrence('a', {
          classification: 'known_benign',
          matched_rule_id: 'N-AWS-001',
          matched_custom_rule_id: custom,
        }),
      ],
      { at: at[1] },
    );

    expect((await list()).patterns).toEqual([
      {
        fingerprint: hashFingerprint('a'),
        resource_address: 'aws_ecs_service.a',
        resource_type: 'aws_ecs_service',
        attribute: 'desired_count',
        action: 'update',
        classification: 'known_benign',
        matched_rule_id: 'N-AWS-001',
        matched_custom_rule_id: custom,
        repo_owner: 'acme',
        repo_name: 'infra',
        first_seen: at[0],
        last_seen: at[1],
        occurrence_count: 2,
        suppressed: false,
      },
    ]);
  });

  test('a pattern shows its catalog rule, and none if the rule no longer exists', async () => {
    await setSettings(1, 30);
    const known = occurrence('known', { matched_rule_id: builtinCatalog('aws').noise_rules[0]?.id ?? '' });
    for (let n = 0; n < 2; n += 1) {
      await setup.analyze(org, [known, occurrence('older', { matched_rule_id: 'N-AWS-999' })]);
    }

    const { listPlanNoise } = noiseRoutes(setup.noise);
    const { body } = await listPlanNoise({ org: { id: org, role: 'viewer' }, query: {} } as Parameters<
      typeof listPlanNoise
    >[0]);
    const { patterns } = body as { patterns: { resource_address: string; matched_rule: unknown }[] };
    expect(new Map(patterns.map((one) => [one.resource_address, one.matched_rule]))).toEqual(
      new Map<string, unknown>([
        ['aws_ecs_service.known', builtinCatalog('aws').noise_rules[0]],
        ['aws_ecs_service.older', null],
      ]),
    );
  });

  test('lists and sweeps stop counting an occurrence exactly when it leaves the window', async () => {
    await setSettings(1, 7);
    const at = daysAgo(6);
    await analyzeTimes(2, 'edge', { at });
    await analyzeTimes(2, 'young');

    setup.clock.now = new Date(at.getTime() + 7 * DAY_MS - 1);
    expect(await counts()).toEqual([
      ['young', 2],
      ['edge', 2],
    ]);
    setup.clock.now = new Date(at.getTime() + 7 * DAY_MS);
    expect(await counts()).toEqual([['young', 2]]);
    setup.clock.now = new Date(start.getTime() + 7 * DAY_MS);
    await setup.noise.settleAll();
    expect(await database.admin_db('noise_patterns').where({ org_id: org }).pluck('window_count')).toEqual([0, 0]);
  });

  test('occurrences before the window are never listed', async () => {
    await analyzeTimes(5, 'old', { at: daysAgo(30) });

    expect(await counts()).toEqual([]);
  });

  test('a commit that is analyzed again counts once, with the time of its last analysis', async () => {
    await setSettings(1, 7);
    for (const days of [6, 1]) await analyzeTimes(1, 'a', { commit: 'c1', at: daysAgo(days) });
    await analyzeTimes(1, 'a', { commit: 'c2', at: daysAgo(1) });
    expect(await counts()).toEqual([['a', 2]]);

    setup.clock.now = new Date(start.getTime() + 2 * DAY_MS);
    expect(await counts()).toEqual([['a', 2]]);
    setup.clock.now = new Date(start.getTime() + 6 * DAY_MS);
    expect(await counts()).toEqual([]);
  });

  test('a pull request counts once, however often it is pushed to', async () => {
    await setSettings(1, 30);
    for (let push = 1; push <= 7; push += 1) await analyzeTimes(1, 'a', { commit: `c${push}`, pull: 5 });
    expect(await counts()).toEqual([]);

    await analyzeTimes(1, 'a', { commit: 'd1', pull: 6 });
    expect(await counts()).toEqual([['a', 2]]);
    await analyzeTimes(1, 'a', { commit: 'd2' });
    expect(await counts()).toEqual([['a', 3]]);
  });

  test('plans of several folders of one commit are combined, each pair once', async () => {
    await setSettings(1, 30);
    for (const commit of ['c1', 'c2']) {
      await setup.analyze(org, [occurrence('a'), occurrence('shared')], { commit });
      await setup.analyze(org, [occurrence('b'), occurrence('shared')], { commit });
    }

    expect(new Map((await counts()) as [string, number][])).toEqual(
      new Map([
        ['a', 2],
        ['b', 2],
        ['shared', 2],
      ]),
    );
  });

  test('a late count of an analysis does not move a commit back in time', async () => {
    await setSettings(1, 7);
    for (const commit of ['c1', 'c2']) {
      await analyzeTimes(1, 'a', { commit, at: daysAgo(1) });
      await list();
      await analyzeTimes(1, 'a', { commit, at: daysAgo(6) });
    }

    setup.clock.now = new Date(start.getTime() + 2 * DAY_MS);
    expect((await list()).patterns).toMatchObject([
      { occurrence_count: 2, first_seen: daysAgo(6), last_seen: daysAgo(1) },
    ]);
  });

  test('all pairs of a commit leave the window together', async () => {
    await setSettings(1, 7);
    for (const commit of ['c1', 'c2']) {
      for (const name of ['a', 'b', 'a']) await analyzeTimes(1, name, { commit });
    }
    expect(await counts()).toHaveLength(2);

    setup.clock.now = new Date(start.getTime() + 7 * DAY_MS);
    await setup.noise.settleAll();
    expect(await database.admin_db('noise_patterns').where({ org_id: org }).pluck('window_count')).toEqual([0, 0]);
  });

  test('a commit that left the window enters it again with its new pairs', async () => {
    await setSettings(1, 7);
    await setup.analyze(org, [occurrence('a'), occurrence('gone')], { commit: 'c1', at: daysAgo(10) });
    expect(await counts()).toEqual([]);
    await setup.analyze(org, [occurrence('a')], { commit: 'c1' });
    await setup.analyze(org, [occurrence('a'), occurrence('gone')], { commit: 'c2' });

    expect(await counts()).toEqual([['a', 2]]);
  });

  test('the same commit in another repository counts separately', async () => {
    await setSettings(1, 30);
    for (const name of ['one', 'two']) await analyzeTimes(1, 'a', { commit: 'c1', repo: ['acme', name] });
    await analyzeTimes(1, 'a', { commit: 'c2', repo: ['acme', 'two'] });

    const { patterns } = await list();
    expect(patterns.map((one) => [one.repo_name, one.occurrence_count])).toEqual([['two', 2]]);
  });

  test('without a commit each run counts once, even if it is recorded twice', async () => {
    await setSettings(1, 30);
    const [first, second] = [newId(), newId()];
    for (let n = 0; n < 2; n += 1) await analyzeTimes(1, 'a', { scan_run_id: first });
    await analyzeTimes(1, 'a', { scan_run_id: second });
    await list();
    await analyzeTimes(1, 'a', { scan_run_id: second });

    expect(await counts()).toEqual([['a', 2]]);
  });

  test('a pair that one analysis contains twice counts once', async () => {
    await setSettings(1, 30);
    for (let n = 0; n < 2; n += 1) await setup.analyze(org, [occurrence('a'), occurrence('a')]);

    expect(await counts()).toEqual([['a', 2]]);
  });

  test('analyses without a repository form their own group', async () => {
    await setSettings(1, 30);
    await analyzeTimes(2, 'a', { repo: null });
    await analyzeTimes(3, 'a', { repo: ['acme', 'infra'] });

    const { patterns } = await list();
    expect(patterns.map((one) => [one.repo_owner, one.repo_name, one.occurrence_count])).toEqual([
      ['acme', 'infra', 3],
      [null, null, 2],
    ]);
  });

  test('filters match an owner, a name, or both', async () => {
    await setSettings(1, 30);
    const repos = [
      ['acme', 'infra'],
      ['acme', 'web'],
      ['other', 'infra'],
    ] as const;
    for (const [i, repo] of repos.entries()) await analyzeTimes(2 + i, 'a', { repo });
    const listRepos = async (filter: object) =>
      (await list(filter)).patterns.map((one) => `${one.repo_owner}/${one.repo_name}`);

    expect(await listRepos({ repo_owner: 'acme' })).toEqual(['acme/web', 'acme/infra']);
    expect(await listRepos({ repo_name: 'infra' })).toEqual(['other/infra', 'acme/infra']);
    expect(await listRepos({ repo_owner: 'acme', repo_name: 'infra' })).toEqual(['acme/infra']);
    expect(await listRepos({ repo_owner: 'ACME' })).toEqual([]);
  });

  test('at most 500 patterns are listed: by occurrences, then last seen, then fingerprint and address', async () => {
    await setSettings(1, 30);
    const many = Array.from({ length: 501 }, (_, n) => occurrence(`n${n}`));
    for (const at of [daysAgo(2), daysAgo(1)]) await setup.analyze(org, many, { at });
    await setup.analyze(org, [occurrence('n7')], { at: daysAgo(1) });
    await analyzeTimes(2, 'late');

    const { patterns } = await list();
    const names = patterns.map((one) => one.resource_address.split('.')[1]);
    expect(names).toHaveLength(500);
    expect(names.slice(0, 2)).toEqual(['n7', 'late']);
    const rest = patterns.slice(2).map((one) => one.fingerprint);
    expect(rest).toEqual([...rest].sort());
  });

  test('changing the window immediately adds or removes occurrences', async () => {
    await setSettings(1, 7);
    await analyzeTimes(2, 'old', { at: daysAgo(20) });
    await analyzeTimes(2, 'young', { at: daysAgo(2) });
    expect(await counts()).toEqual([['young', 2]]);

    await setSettings(1, 21);
    expect(await counts()).toEqual([
      ['young', 2],
      ['old', 2],
    ]);
    await setSettings(1, 2);
    expect(await counts()).toEqual([]);
    await setSettings(1, 365);
    expect(await counts()).toHaveLength(2);
    setup.clock.now = new Date(start.getTime() + 345 * DAY_MS);
    expect(await counts()).toEqual([['young', 2]]);
  });

  test('settings are audited only when they change', async () => {
    const detail = { recurrence_threshold: 5, window_days: 60 };
    for (let n = 0; n < 2; n += 1) expect(await setSettings(5, 60)).toEqual(detail);

    const { email } = admin.user;
    expect(setup.audit.events).toEqual([
      { action: 'plan_noise.settings_updated', org_id: org, actor_email: email, detail },
    ]);
  });

  test('analyses that end concurrently are all counted', async () => {
    await setSettings(1, 30);
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await setup.analyze(org, [occurrence('a'), occurrence('b'), occurrence(`own${n}`)]);
        await list();
      }),
    );

    expect(await counts()).toEqual([
      ['a', 20],
      ['b', 20],
    ]);
    expect(setup.warnings).toEqual([]);
  });

  test('a commit that is analyzed many times concurrently counts once', async () => {
    await setSettings(1, 30);
    const commits = Array.from({ length: 20 }, (_, n) => `c${n % 2}`);
    await Promise.all(
      commits.map(async (commit) => {
        await analyzeTimes(1, 'a', { commit });
        await list();
      }),
    );

    expect(await counts()).toEqual([['a', 2]]);
  });

  test('texts that PostgreSQL cannot store are stored with replacements', async () => {
    await setSettings(1, 30);
    const odd = occurrence('odd', { address: 'a.b["\0\ud800é\\u0000"]', attribute: 'x'.repeat(9_000) });
    for (let n = 0; n < 2; n += 1) await setup.analyze(org, [odd]);

    expect((await list()).patterns).toMatchObject([{ resource_address: 'a.b["\ufffd\ufffdé\\u0000"]' }]);
  });

  test('reading patterns does not count them', async () => {
    await analyzeTimes(4, 'a');

    expect((await setup.noise.patterns.list(org, everything)).patterns).toEqual([]);
    expect(await setup.noise.patterns.find(org, occurrence('a').fingerprint)).toBeUndefined();
    expect(await database.admin_db('noise_inbox').where({ org_id: org })).toHaveLength(4);
  });

  test('an analysis without noise stores nothing', async () => {
    await setup.analyze(org, []);

    expect(await database.admin_db('noise_inbox').where({ org_id: org })).toEqual([]);
  });

  test('another organization sees and counts none of the patterns', async () => {
    await analyzeTimes(4, 'a');
    const other = await makeOrg(database.admin_db);
    await setup.noise.settleAll();

    expect((await setup.list(other, everything)).patterns).toEqual([]);
    const seen = await database.db.inOrg(other, async (trx) =>
      Promise.all(['noise_inbox', 'noise_sightings', 'noise_patterns', 'noise_settings'].map((table) => trx(table))),
    );
    expect(seen.flat()).toEqual([]);
    expect(await counts()).toEqual([['a', 4]]);
  });

  test('an organization whose noise cannot be counted does not block others, and its list still works', async () => {
    await analyzeTimes(4, 'a');
    await list();
    const broken = await setup.analyze(org, [occurrence('a')]);
    await database.admin_db('noise_inbox').where({ scan_run_id: broken }).update({ occurrences: '{' });
    const other = await makeOrg(database.admin_db);
    for (let n = 0; n < 4; n += 1) await setup.analyze(other, [occurrence('a')]);

    await expect(setup.noise.settleAll()).rejects.toThrow('1 org');
    expect(await counts()).toEqual([['a', 4]]);
    expect(setup.warnings).toHaveLength(2);
    expect(await database.admin_db('noise_inbox').where({ org_id: other })).toEqual([]);
    await database.admin_db('noise_inbox').where({ org_id: org }).delete();
  });

  test('sightings and patterns are deleted 400 days after they were last seen, unless they are in a window', async () => {
    await setSettings(1, 365);
    for (const [name, days] of [
      ['gone', 401],
      ['kept', 399],
      ['counted', 300],
    ] as const) {
      await analyzeTimes(2, name, { at: daysAgo(days) });
    }
    await setup.noise.settleAll();

    await setup.noise.deleteOld();

    const left = await database.admin_db('noise_patterns').where({ org_id: org }).orderBy('resource_address');
    expect(left.map((one) => [one.resource_address, one.window_count])).toEqual([
      ['aws_ecs_service.counted', 2],
      ['aws_ecs_service.kept', 0],
    ]);
    expect(await database.admin_db('noise_sightings').where({ org_id: org })).toHaveLength(4);
  });

  test('occurrences that still count are not deleted, however old they are', async () => {
    await analyzeTimes(2, 'a');
    await list();
    const left = async () => {
      await setup.noise.deleteOld();
      return database.admin_db('noise_patterns').where({ org_id: org });
    };

    setup.clock.now = new Date(start.getTime() + 401 * DAY_MS);
    expect(await left()).toHaveLength(1);
    await setup.noise.settleAll();
    expect(await left()).toEqual([]);
  });
});

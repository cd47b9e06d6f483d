import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater } from '../orgs/setup.ts';
import { type KnownOwnersUnderTest, setUpKnownOwners } from './setup.ts';

let setup: KnownOwnersUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  setup = await setUpKnownOwners();
});
afterAll(() => setup.database.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner('enterprise'));
});

const anyState = () => {};
const listAll = async () => (await setup.knownOwners.list(org, {}, { limit: 1_000, offset: 0 })).owners;
const find = async (name: string) => (await listAll()).find((one) => one.owner === name);
const later = () => {
  setup.clock.now = minutesLater(setup.clock.now, 1);
  return setup.clock.now;
};
const decide = async (name: string, status: 'confirmed' | 'dismissed') =>
  setup.knownOwners.update(owner, org, (await find(name))?.id ?? '', { status }, anyState);
const makeDomains = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}.com`);

describe('learning', () => {
  test('an owner of a plan becomes a suggestion, which does not count', async () => {
    const seen_at = later();
    await setup.analyze(org, ['account:111122223333', 'example.com', 'github.com/acme']);

    expect(await find('account:111122223333')).toMatchObject({
      kind: 'account',
      status: 'suggested',
      source: 'learned',
      note: null,
      first_seen_at: seen_at,
      last_seen_at: seen_at,
      plans_seen: 1,
      decided_by: null,
    });
    expect((await listAll()).map(({ kind }) => kind).sort()).toEqual(['account', 'domain', 'repository_host']);
    expect(await setup.knownOwners.listConfirmed(org)).toEqual([]);
    expect(setup.audit.selectEvents(org)).toEqual([]);
  });

  test('further plans count, and keep the first time', async () => {
    const first = later();
    await setup.analyze(org, ['example.com']);
    const last = later();
    await setup.analyze(org, ['example.com', 'example.org']);

    expect(await find('example.com')).toMatchObject({ first_seen_at: first, last_seen_at: last, plans_seen: 2 });
    expect(await find('example.org')).toMatchObject({ first_seen_at: last, plans_seen: 1 });
  });

  test('confirmed and dismissed owners keep their status when plans name them again', async () => {
    await setup.analyze(org, ['example.com', 'example.org']);
    await decide('example.com', 'confirmed');
    await decide('example.org', 'dismissed');
    await setup.analyze(org, ['example.com', 'example.org']);

    expect(await find('example.com')).toMatchObject({ status: 'confirmed', plans_seen: 2 });
    expect(await find('example.org')).toMatchObject({ status: 'dismissed', plans_seen: 2 });
    expect(await setup.knownOwners.listConfirmed(org)).toEqual(['example.com']);
  });

  test('an added owner that a plan names stays added and gets its times', async () => {
    await setup.knownOwners.create(owner, org, { owner: 'example.com' });
    const seen_at = later();
    await setup.analyze(org, ['example.com']);

    expect(await find('example.com')).toMatchObject({
      status: 'confirmed',
      source: 'added',
      first_seen_at: seen_at,
      last_seen_at: seen_at,
      plans_seen: 1,
    });
  });

  test('a deleted owner is suggested again', async () => {
    await setup.analyze(org, ['example.com']);
    await setup.knownOwners.remove(owner, org, (await find('example.com'))?.id ?? '');
    await setup.analyze(org, ['example.com']);

    expect(await find('example.com')).toMatchObject({ status: 'suggested', plans_seen: 1 });
  });

  test('a plan without owners writes nothing', async () => {
    await setup.analyze(org, []);

    expect(await listAll()).toEqual([]);
  });

  test("another organization's plans teach nothing here", async () => {
    const other = await setup.makeOwner();
    await setup.analyze(other.org, ['example.com']);

    expect(await listAll()).toEqual([]);
  });
});

describe('at most 500 owners', () => {
  test('suggestions that the fewest plans named give way, the oldest first', async () => {
    await setup.analyze(org, makeDomains(200, 'old'));
    later();
    await setup.analyze(org, makeDomains(200, 'often'));
    later();
    await setup.analyze(org, makeDomains(200, 'often'));
    later();
    await setup.analyze(org, makeDomains(200, 'new'));

    const names = (await listAll()).map((one) => one.owner.replace(/\d+\.com$/, ''));
    const count = (prefix: string) => names.filter((name) => name === prefix).length;
    expect([count('old'), count('often'), count('new')]).toEqual([100, 200, 200]);
  });

  test('decided owners never give way, and suggestions fill the rest', async () => {
    const decided = makeDomains(400, 'decided');
    await setup.analyze(org, decided.slice(0, 200));
    await setup.analyze(org, decided.slice(200));
    const status = setup.database.admin_db.raw("case when id < ? then 'confirmed' else 'dismissed' end", [
      '80000000-0000-0000-0000-000000000000',
    ]);
    await setup.database.admin_db('known_owners').where({ org_id: org }).update({ status });
    later();
    await setup.analyze(org, [...makeDomains(150, 'new'), 'decided0.com']);

    const all = await listAll();
    expect(all).toHaveLength(500);
    expect(all.filter(({ status }) => status === 'suggested')).toHaveLength(100);
    expect(await find('decided0.com')).toMatchObject({ plans_seen: 2 });
  });

  test('an owner that one plan named does not replace suggestions of more plans', async () => {
    for (const prefix of ['a', 'b', 'c']) {
      for (let i = 0; i < 3; i += 1) await setup.analyze(org, makeDomains(200, prefix));
    }
    later();
    const kept = (await listAll()).find((one) => one.owner.startsWith('c'))?.owner ?? '';
    await setup.analyze(org, [kept, 'late.com']);

    expect(await listAll()).toHaveLength(500);
    expect(await find(kept)).toMatchObject({ plans_seen: 4 });
    expect(await find('late.com')).toBeUndefined();
  });

  test('analyses that end at the same time do not block each other, and the next one shortens the list', async () => {
    const plans = ['a', 'b', 'c', 'd'].map((prefix) => [...makeDomains(180, prefix), ...makeDomains(10, 'shared')]);
    await Promise.all(plans.map((owners) => setup.analyze(org, owners)));
    expect(await find('shared3.com')).toMatchObject({ plans_seen: 4 });
    later();
    await setup.analyze(org, ['example.com']);

    expect(await listAll()).toHaveLength(500);
    expect(await find('shared3.com')).toMatchObject({ plans_seen: 4 });
  });
});

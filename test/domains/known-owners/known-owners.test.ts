import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { KnownOwner } from '../../../server/domains/known-owners/types.ts';
import { PreconditionFailed } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { type KnownOwnersUnderTest, setUpKnownOwners } from './setup.ts';

let setup: KnownOwnersUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  setup = await setUpKnownOwners();
});
afterAll(() => setup.database.close());
beforeEach(async () => {
  ({ owner, org } = await setup.makeOwner());
});

const anyState = () => {};
const create = (text: string, note?: string) => setup.knownOwners.create(owner, org, { owner: text, note });
const update = (id: string, change: object, assertKnown: (one: KnownOwner) => void = anyState) =>
  setup.knownOwners.update(owner, org, id, change, assertKnown);
const list = (filter = {}, page = { limit: 100, offset: 0 }) => setup.knownOwners.list(org, filter, page);
const failure = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'ok',
    (error) => error,
  );
const events = () => setup.audit.selectEvents(org).map(({ action, detail }) => ({ action, detail }));
const suggest = async (name: string) => {
  await setup.analyze(org, [name]);
  return (await list()).owners.find((one) => one.owner === name)?.id ?? '';
};

describe('known owners', () => {
  test('an added owner is stored in canonical form, counts, and is audited', async () => {
    const made = await create(' arn:aws:iam::123456789012:role/deploy ', '  Logging  ');

    expect(made).toMatchObject({
      owner: 'account:123456789012',
      kind: 'account',
      status: 'confirmed',
      source: 'added',
      note: 'Logging',
      plans_seen: 0,
      first_seen_at: null,
      decided_by: owner.user.email,
    });
    expect(await setup.knownOwners.get(org, made.id)).toEqual(made);
    expect(await setup.knownOwners.listConfirmed(org)).toEqual(['account:123456789012']);
    const detail = { known_owner_id: made.id, owner: 'account:123456789012' };
    expect(events()).toEqual([{ action: 'known_owner.created', detail }]);
  });

  test.each(['acme', 'datadoghq.com', 'ghcr.io', 'ana@gmail.com'])('%j is rejected with the reason', async (text) => {
    const error = await failure(create(text));

    expect(error).toMatchObject({ status: 400, error_class: 'invalid_owner' });
    expect(error.message).toContain(`"${text}" `);
    expect(error.extra.details).toMatchObject([{ path: '/body/owner', code: 'invalid_owner' }]);
    expect((await list()).total).toBe(0);
  });

  test('an owner that is already listed is rejected with what to do instead', async () => {
    await create('example.com');
    const suggested = await suggest('example.org');
    const refused = async (text: string) => failure(create(text));

    expect(await refused('www.example.com')).toMatchObject({
      status: 409,
      error_class: 'known_owner_exists',
      message: '"example.com" is already confirmed',
    });
    expect((await refused('example.org')).message).toContain('confirm the suggestion');
    await update(suggested, { status: 'dismissed' });
    expect((await refused('example.org')).message).toContain('dismissed');
  });

  test('of concurrent additions of one owner one succeeds', async () => {
    const attempts = ['example.com', 'a.example.com', 'b.example.com'].map((text) => create(text));

    expect(await outcomes(attempts)).toEqual({ ok: 1, known_owner_exists: 2 });
  });

  test('lists are newest first, in pages, and can be filtered', async () => {
    for (const text of ['example.com', 'github.com/acme', 'example.org']) {
      setup.clock.now = minutesLater(setup.clock.now, 1);
      await create(text);
    }
    setup.clock.now = minutesLater(setup.clock.now, 1);
    await setup.analyze(org, ['example.net']);
    const names = async (filter: object, page?: { limit: number; offset: number }) =>
      (await list(filter, page)).owners.map((one) => one.owner);

    expect(await names({})).toEqual(['example.net', 'example.org', 'github.com/acme', 'example.com']);
    expect(await names({}, { limit: 2, offset: 1 })).toEqual(['example.org', 'github.com/acme']);
    expect(await names({ status: 'confirmed', kind: 'domain' })).toEqual(['example.org', 'example.com']);
    expect(await list({ status: 'suggested' }, { limit: 1, offset: 5 })).toEqual({ owners: [], total: 1 });
  });

  test('a suggestion can be confirmed and dismissed; both are audited with the person', async () => {
    const id = await suggest('example.com');

    const confirmed = await update(id, { status: 'confirmed', note: 'Shop' });
    expect(confirmed).toMatchObject({ status: 'confirmed', note: 'Shop', decided_by: owner.user.email });
    expect(await setup.knownOwners.get(org, id)).toEqual(confirmed);
    expect(await setup.knownOwners.listConfirmed(org)).toEqual(['example.com']);

    await update(id, { status: 'dismissed' });
    expect(await setup.knownOwners.listConfirmed(org)).toEqual([]);
    expect(events().map(({ detail }) => detail)).toEqual([
      { known_owner_id: id, owner: 'example.com', status: 'confirmed' },
      { known_owner_id: id, owner: 'example.com', status: 'dismissed' },
    ]);
  });

  test('a note can be changed and removed without a decision', async () => {
    const id = await suggest('example.com');

    expect(await update(id, { note: 'Shop?' })).toMatchObject({ status: 'suggested', note: 'Shop?', decided_by: null });
    expect(await update(id, { note: '  ' })).toMatchObject({ note: null });
  });

  test('an update without an effect is not audited', async () => {
    const { id } = await create('example.com', 'Shop');
    const before = events();

    await update(id, { status: 'confirmed', note: 'Shop' });

    expect(events()).toEqual(before);
  });

  test('an update with an outdated state changes nothing', async () => {
    const { id } = await create('example.com');
    const refuse = () => {
      throw new PreconditionFailed('changed');
    };

    expect(await failure(update(id, { status: 'dismissed' }, refuse))).toMatchObject({ status: 412 });
    expect(await setup.knownOwners.listConfirmed(org)).toEqual(['example.com']);
  });

  test('a deleted owner does not count and cannot be found', async () => {
    const { id } = await create('example.com');
    await setup.knownOwners.remove(owner, org, id);

    expect(await setup.knownOwners.listConfirmed(org)).toEqual([]);
    const attempts = [
      setup.knownOwners.get(org, id),
      update(id, { note: 'x' }),
      setup.knownOwners.remove(owner, org, id),
      update(newId(), { note: 'x' }),
    ];
    for (const error of await Promise.all(attempts.map(failure))) expect(error).toMatchObject({ status: 404 });
    expect(events().at(-1)).toEqual({
      action: 'known_owner.deleted',
      detail: { known_owner_id: id, owner: 'example.com', status: 'confirmed' },
    });
  });

  test('an owner of another organization cannot be read or changed', async () => {
    const { id } = await create('example.com');
    const other = await setup.makeOwner();
    const { knownOwners } = setup;

    const attempts = [
      knownOwners.get(other.org, id),
      knownOwners.update(other.owner, other.org, id, { status: 'dismissed' }, anyState),
      knownOwners.remove(other.owner, other.org, id),
    ];
    for (const error of await Promise.all(attempts.map(failure))) expect(error).toMatchObject({ status: 404 });
    expect((await knownOwners.create(other.owner, other.org, { owner: 'example.com' })).id).not.toBe(id);
    expect(await setup.knownOwners.listConfirmed(org)).toEqual(['example.com']);
  });
});

describe('the limit of confirmed owners', () => {
  const fill = async (count: number) => {
    for (let i = 0; i < count; i += 1) await create(`shop-${i}.com`);
  };
  const exceeded = { limit: 50, used: 50, plan: 'free', required_plan: 'team', resource: 'known_owners' };

  test('it applies to adding and confirming, and not to suggestions and dismissals', async () => {
    const id = await suggest('example.com');
    await fill(50);

    expect(await failure(create('example.org'))).toMatchObject({ status: 402, extra: { body: exceeded } });
    expect(await failure(update(id, { status: 'confirmed' }))).toMatchObject({ status: 402 });
    expect(await failure(update(id, { status: 'dismissed' }))).toBe('ok');
    await setup.analyze(org, ['example.net']);

    const [oldest] = (await list({ status: 'confirmed' }, { limit: 1, offset: 49 })).owners;
    await setup.knownOwners.remove(owner, org, oldest?.id ?? '');
    expect(await failure(update(id, { status: 'confirmed' }))).toBe('ok');
  });
});

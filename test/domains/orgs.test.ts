import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOrgs } from '../../server/domains/orgs/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';
import { labelSealer, makeUser } from './people.ts';

describe('orgs', () => {
  let database: TestDatabase;
  let orgs: ReturnType<typeof createOrgs>;
  beforeAll(async () => {
    database = await testDatabase();
    orgs = createOrgs({ db: database.db, sealer: labelSealer, now: () => new Date() });
  });
  afterAll(() => database.close());

  test('who creates an org becomes its owner, on the free plan', async () => {
    const ana = await makeUser(database.db);

    const org = await orgs.create(ana, { slug: 'acme', display_name: '  Acme  ' });

    expect(org).toMatchObject({ slug: 'acme', display_name: 'Acme', plan: 'free' });
    expect(await orgs.findContext(ana, org.id)).toEqual({ id: org.id, role: 'owner' });
    expect(await orgs.list(ana, { limit: 10, offset: 0 })).toMatchObject({
      orgs: [{ id: org.id, role: 'owner' }],
      total: 1,
    });
  });

  test('of ten orgs with one slug at once, one is made and nine are refused', async () => {
    const ana = await makeUser(database.db);

    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => orgs.create(ana, { slug: 'contested', display_name: 'C' })),
    );

    const refused = tries.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(9);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 409, error_class: 'slug_taken' });
    expect((await orgs.list(ana, { limit: 10, offset: 0 })).total).toBe(1);
  });

  test.each([
    ['nothing but blanks', '   '],
    ['a line break', 'a\nb'],
    ['101 characters', 'é'.repeat(101)],
  ])('a display name of %s is refused', async (_title, display_name) => {
    const ana = await makeUser(database.db);

    await expect(orgs.create(ana, { slug: 'named', display_name })).rejects.toMatchObject({ status: 400 });
  });

  test('an expired membership opens nothing', async () => {
    const ana = await makeUser(database.db);
    const org = await orgs.create(ana, { slug: 'expiring', display_name: 'E' });
    await database
      .db('memberships')
      .where({ org_id: org.id })
      .update({ expires_at: new Date(Date.now() - 1000) });

    expect(await orgs.findContext(ana, org.id)).toBeUndefined();
    expect((await orgs.list(ana, { limit: 10, offset: 0 })).total).toBe(0);
  });

  test("another org's sealed noise key does not open", async () => {
    const ana = await makeUser(database.db);
    const [a, b] = [
      await orgs.create(ana, { slug: 'key-a', display_name: 'A' }),
      await orgs.create(ana, { slug: 'key-b', display_name: 'B' }),
    ];
    expect((await orgs.noiseKey(a.id)).equals(await orgs.noiseKey(b.id))).toBe(false);

    const { noise_key_ct } = await database.db('orgs').where({ id: b.id }).first('noise_key_ct');
    await database.db('orgs').where({ id: a.id }).update({ noise_key_ct });

    await expect(orgs.noiseKey(a.id)).rejects.toThrow();
  });

  test('an org that does not exist has no context', async () => {
    expect(await orgs.findContext(await makeUser(database.db), newId())).toBeUndefined();
  });
});

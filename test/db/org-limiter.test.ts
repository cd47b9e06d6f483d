import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('an organization with more units of work than connections leaves some connections to another', async () => {
  const [busy, other] = [newId(), newId()];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const held = Array.from({ length: 20 }, () =>
    database.db.inOrg(busy, async (trx) => {
      begun += 1;
      await trx.raw('select 1');
      await released;
    }),
  );

  await database.db.inOrg(other, (trx) => trx.raw('select 1'));
  await database.db.readInOrg(other, (read) => read.raw('select 1'));

  expect(begun).toBe(5);
  release();
  await Promise.all(held);
  expect(begun).toBe(20);
});

test('a nested unit of work of the same organization does not wait', async () => {
  const org = newId();
  const nested = () => database.db.inOrg(org, () => database.db.readInOrg(org, (read) => read.raw('select 1 as one')));

  const answers = await Promise.all(Array.from({ length: 5 }, nested));

  expect(answers.map(({ rows }) => rows[0].one)).toEqual([1, 1, 1, 1, 1]);
});

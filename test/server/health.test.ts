import { afterAll, expect, test } from '@jest/globals';
import { loadConfig } from '../../server/config/index.ts';
import { createHealth, type HealthTargets } from '../../server/health.ts';
import { openTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase | undefined;
afterAll(() => database?.close());

test('readiness fails for the plan threads only when they make no progress', async () => {
  database = await openTestDatabase();
  const { platform_db } = database;
  const stuck = async () => {
    throw new Error('the plan threads are not making progress');
  };
  const stores = { platform_db, blobs: { check: async () => {} }, pool: { check: stuck } } as unknown as HealthTargets;
  const health = createHealth(loadConfig({}), stores, () => 'serving');

  expect(await health.checks()).toEqual({ postgres: 'ok', migrations: 'ok', object_store: 'ok', plan_threads: 'fail' });
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer, reseal } from '../../../server/db/index.ts';
import type { CloudAccount } from '../../../server/domains/cloud-accounts/types.ts';
import { openListed, SEALED_LISTINGS } from '../../../server/domains/resources/seals.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { fakeFault, fakePart, fakeResource } from '../../fakes/cloud/adapter.ts';
import { type CloudScansUnderTest, setUpCloudScans } from '../cloud-scans/setup.ts';

const DAY_MS = 86_400_000;

let under: CloudScansUnderTest;
let owner: Principal;
let org: string;
let account: CloudAccount;
beforeAll(async () => {
  under = await setUpCloudScans();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  under.clouds.aws.reset();
  ({ owner, org } = await under.makeOwner('team'));
  account = await under.makeAccount(owner, org);
});

const PART = fakePart('AWS::SQS::Queue');
const names = async () => (await under.resources(account.id)).map((row) => row.provider_resource_id);

async function scanWith(...present: string[]): Promise<void> {
  under.clouds.aws.account.parts = [{ part: PART, pages: [present.map((name) => fakeResource(name))] }];
  under.pass(1_000);
  await under.scan(owner, org, account.id);
}

test('a resource that three complete scans did not see is deleted, and one that came back is not', async () => {
  await scanWith('a', 'b', 'c');
  await scanWith('c');
  await scanWith('b', 'c');
  await under.inventory.deleteGone();
  expect(await names()).toEqual(['a', 'b', 'c']);
  await scanWith('c');
  await under.inventory.deleteGone();

  expect(await names()).toEqual(['b', 'c']);
});

test('a resource that is gone for 30 days is deleted, and one that merely was not seen is not', async () => {
  await scanWith('a', 'b');
  await scanWith('b');
  under.pass(29 * DAY_MS);
  await under.inventory.deleteGone();
  expect(await names()).toEqual(['a', 'b']);
  under.pass(2 * DAY_MS);
  await under.inventory.deleteGone();

  expect(await names()).toEqual(['b']);
});

test('scans that could not read the part do not count', async () => {
  await scanWith('a');
  for (let scans = 0; scans < 4; scans += 1) {
    under.clouds.aws.account.parts = [{ part: PART, pages: [[]], faults: [fakeFault('truncated', 'Cut.')] }];
    await under.scan(owner, org, account.id);
  }
  await under.inventory.deleteGone();

  expect(await under.resources(account.id)).toMatchObject([{ gone_at: null, unseen_scans: 0 }]);
});

test('the inventory of a deleted account is deleted', async () => {
  await scanWith('a');
  await under.accounts.remove(owner, org, account.id);
  await under.inventory.deleteGone();

  expect([await names(), await under.ledger(account.id)]).toEqual([[], []]);
});

test('properties cannot be decrypted as those of another resource, and are encrypted again with a new key', async () => {
  await scanWith('a', 'b');
  const [a, b] = await under.resources(account.id);
  expect(() => under.open({ ...a, listed_ct: b.listed_ct })).toThrow();
  const keys = [Buffer.alloc(32, 8), Buffer.alloc(32, 7)];
  const { platform_db, db } = under.database;
  await reseal({ platform_db, db, sealer: createSealer(keys), masterKeys: keys }, SEALED_LISTINGS);

  const [again] = await under.resources(account.id);
  const rotated = createColumnSealer(createSealer([Buffer.alloc(32, 8)]), SEALED_COLUMNS);
  expect(JSON.parse(openListed(rotated, again).toString())).toEqual({ QueueName: 'a' });
});

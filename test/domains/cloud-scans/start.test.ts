import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { type CloudScansUnderTest, setUpCloudScans } from './setup.ts';

let under: CloudScansUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  under = await setUpCloudScans();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  under.clouds.aws.reset();
  under.queued.length = 0;
  under.audit.events.length = 0;
  ({ owner, org } = await under.makeOwner('team'));
});

let number = 100_000_000_000;
async function addAccount(org_id = org, principal = owner) {
  number += 1;
  const role = { role_arn: `arn:aws:iam::${number}:role/dpa` };
  return under.makeAccount(principal, org_id, { external_account_id: String(number), credentials: role });
}
const addAccounts = async (count: number) => {
  const added = [];
  for (let n = 0; n < count; n += 1) added.push(await addAccount());
  return added;
};
const create = (cloud_account_id: string) => under.cloudScans.create(owner, org, { cloud_account_id });
const bulk = (account_ids?: string[]) => under.cloudScans.createBulk(owner, org, { account_ids });
const count = async () => (await under.database.admin_db('scan_runs').where({ org_id: org })).length;

describe('one scan', () => {
  test('it is pending, has the CI context without credentials, and is queued', async () => {
    const { id } = await addAccount();
    const ci = {
      repo_owner: 'acme',
      repo_name: 'infra',
      repo_url: 'https://x:token@github.com/acme/infra',
      pr_number: 7,
    };
    const run = await under.cloudScans.create(owner, org, { cloud_account_id: id, ci });

    expect(run).toMatchObject({
      status: 'pending',
      cloud_account_id: id,
      provider: 'aws',
      scan_type: 'manual',
      narrative_status: 'none',
      repo_url: 'https://github.com/acme/infra',
      pr_number: 7,
      branch: null,
    });
    expect(under.queued).toEqual([{ org_id: org, id: run.id }]);
    expect((await under.scans.list(org, {}, { limit: 10, offset: 0 })).total).toBe(1);
  });

  test('accounts that cannot be scanned are refused, each with its reason', async () => {
    const [disabled, invalid, deleted] = await addAccounts(3);
    const stranger = await under.makeOwner();
    const foreign = await addAccount(stranger.org, stranger.owner);
    await under.accounts.update(owner, org, disabled!.id, { enabled: false }, () => {});
    under.clouds.aws.fail('credential_error', 'The key was deleted.');
    await under.accounts.validate(owner, org, invalid!.id);
    await under.accounts.remove(owner, org, deleted!.id);

    await expect(create(disabled!.id)).rejects.toMatchObject({ status: 409, error_class: 'cloud_account_disabled' });
    await expect(create(invalid!.id)).rejects.toMatchObject({
      status: 409,
      error_class: 'cloud_account_invalid',
      extra: { reason: 'The key was deleted.' },
    });
    await expect(create(deleted!.id)).rejects.toMatchObject({ status: 404 });
    await expect(create(foreign.id)).rejects.toMatchObject({ status: 404 });
    expect(await count()).toBe(0);
  });

  test('pending and running scans count against the limit, and of two requests for the last place one gets it', async () => {
    ({ owner, org } = await under.makeOwner('free'));
    const { id } = await addAccount();
    const outcomes = await Promise.allSettled([create(id), create(id)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(create(id)).rejects.toMatchObject({
      status: 402,
      error_class: 'plan_limit_exceeded',
      extra: { body: { resource: 'concurrent_scans', limit: 1, used: 1, required_plan: 'team' } },
    });
    const [pending] = await under.database.admin_db('scan_runs').where({ org_id: org });
    await under.run(org, pending.id);
    expect(await create(id)).toMatchObject({ status: 'pending' });
  });
});

describe('bulk scans', () => {
  test('each account gets a scan, in order, and the call is audited', async () => {
    const accounts = await addAccounts(3);
    const ids = accounts.map(({ id }) => id).reverse();
    const started = await bulk(ids);
    const runs = await under.database.admin_db('scan_runs').whereIn('id', started.scan_ids);

    expect(started.count).toBe(3);
    expect(started.scan_ids.map((id) => runs.find((run) => run.id === id).cloud_account_id)).toEqual(ids);
    expect(under.queued.map(({ id }) => id)).toEqual(started.scan_ids);
    expect(under.audit.events.filter(({ action }) => action.startsWith('scan.'))).toEqual([
      { action: 'scan.bulk_created', org_id: org, actor_email: owner.user.email, detail: started },
    ]);
  });

  test('without a list, every enabled account is scanned, and none is an empty result', async () => {
    expect(await bulk()).toEqual({ count: 0, scan_ids: [] });
    const [first, second] = await addAccounts(2);
    await under.accounts.update(owner, org, first!.id, { enabled: false }, () => {});

    const { scan_ids } = await bulk([]);
    const runs = await under.database.admin_db('scan_runs').whereIn('id', scan_ids);
    expect(runs.map((run) => run.cloud_account_id)).toEqual([second!.id]);
  });

  test('if one account is unknown or disabled, or not all fit, nothing is started', async () => {
    const accounts = await addAccounts(6);
    const ids = accounts.map(({ id }) => id);
    await expect(bulk([ids[0]!, org])).rejects.toMatchObject({ status: 404 });
    await expect(bulk(ids)).rejects.toMatchObject({ status: 402, extra: { body: { limit: 5, used: 0 } } });
    await under.accounts.update(owner, org, ids[1]!, { enabled: false }, () => {});
    await expect(bulk(ids.slice(0, 2))).rejects.toMatchObject({ status: 409 });

    expect([await count(), under.queued]).toEqual([0, []]);
    expect(under.audit.events.some(({ action }) => action === 'scan.bulk_created')).toBe(false);
  });

  test('a sixth call within a minute is refused, and says when it is accepted', async () => {
    ({ owner, org } = await under.makeOwner('enterprise' as 'team'));
    const { id } = await addAccount();
    for (let calls = 0; calls < 5; calls += 1) await bulk([id]);
    under.pass(20_000);

    await expect(bulk([id])).rejects.toMatchObject({
      status: 429,
      error_class: 'bulk_scan_rate_limited',
      extra: { retry_after: 40 },
    });
    under.pass(41_000);
    expect(await bulk([id])).toMatchObject({ count: 1 });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudAccount } from '../../../server/domains/cloud-accounts/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { fakeFault, fakePart, fakeResource } from '../../fakes/cloud/adapter.ts';
import { type CloudScansUnderTest, setUpCloudScans } from './setup.ts';

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
  under.queued.length = 0;
  under.warnings.length = 0;
  ({ owner, org } = await under.makeOwner('team'));
  account = await under.makeAccount(owner, org);
});

const QUEUES = fakePart('AWS::SQS::Queue');
const TOPICS = fakePart('AWS::SNS::Topic');
const KEYS = fakePart('AWS::KMS::Key', 'us-east-1');
const cloud = () => under.clouds.aws;
const ids = async () => (await under.resources(account.id)).map((row) => row.provider_resource_id);
const scan = (filter_regions: string[] = []) => under.scan(owner, org, account.id, filter_regions);
const later = (ms = 1_000) => under.pass(ms);

describe('what a scan writes', () => {
  test('all pages of all parts are in the inventory, with their type, category and sealed properties', async () => {
    cloud().account.parts = [
      { part: QUEUES, pages: [[fakeResource('a'), fakeResource('b')], [fakeResource('c')]] },
      { part: TOPICS, pages: [[]] },
    ];

    const run = await scan();

    expect(run).toMatchObject({ status: 'done', scan_errors: [], resource_count: 3, provider: 'aws' });
    const rows = await under.resources(account.id);
    expect(rows.map((row) => row.provider_resource_id)).toEqual(['a', 'b', 'c']);
    expect(rows[0]).toMatchObject({
      normalized_type: 'messaging',
      risk_categories: ['stateful'],
      part_key: QUEUES.key,
      last_scan_id: run.id,
      gone_at: null,
      listed_hash: expect.any(Buffer),
    });
    expect(under.open(rows[0])).toEqual({ QueueName: 'a' });
    expect(await under.database.admin_db('scan_parts').where({ scan_run_id: run.id })).toEqual([]);
  });

  test('a second scan moves the time of the last sighting and encrypts only what changed', async () => {
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('a'), fakeResource('b')]] }];
    await scan();
    const before = await under.resources(account.id);
    later();
    cloud().account.parts = [
      { part: QUEUES, pages: [[fakeResource('a'), fakeResource('b', { properties: { Delay: 5 } })]] },
    ];
    const run = await scan();
    const after = await under.resources(account.id);

    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id));
    expect(after.map((row) => row.last_scan_id)).toEqual([run.id, run.id]);
    expect(after.map((row) => row.first_seen_at)).toEqual(before.map((row) => row.first_seen_at));
    expect(after[0].listed_ct).toEqual(before[0].listed_ct);
    expect(after[1].listed_ct).not.toEqual(before[1].listed_ct);
    expect(under.open(after[1])).toEqual({ Delay: 5 });
  });

  test('a resource that a page or two pages show twice is stored and counted once', async () => {
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('a'), fakeResource('a')], [fakeResource('a')]] }];

    expect(await scan()).toMatchObject({ status: 'done', resource_count: 1 });
    expect(await ids()).toEqual(['a']);
  });

  test('names and tags that PostgreSQL cannot store do not fail their page', async () => {
    const odd = { name: 'a\0b', tags: { 'k\0': 'v\ud800' }, aliases: ['x"y\\z', '{},null'] };
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('id\0', odd)]] }];

    expect(await scan()).toMatchObject({ status: 'done', resource_count: 1 });
    expect((await under.resources(account.id))[0]).toMatchObject({
      provider_resource_id: 'id\uFFFD',
      name: 'a\uFFFDb',
      tags: { 'k\uFFFD': 'v\uFFFD' },
      aliases: ['x"y\\z', '{},null'],
    });
  });

  test('the account shows its last scan and how many resources it has', async () => {
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('a')]] }];
    const run = await scan();

    expect(await under.accounts.get(org, account.id)).toMatchObject({ last_scan_id: run.id, resource_count: 1 });
  });
});

describe('faults', () => {
  test('a part that is denied makes the scan partial, names the permission, and does not stop the others', async () => {
    const denied = fakeFault('access_denied', 'The role may not list keys.', { permission: 'kms:ListKeys' });
    cloud().account.parts = [
      { part: KEYS, pages: [], ends_with: denied },
      { part: QUEUES, pages: [[fakeResource('a')]] },
    ];
    const run = await scan();

    expect(run).toMatchObject({ status: 'done', resource_count: 1 });
    expect(run.scan_errors).toEqual([
      {
        code: 'access_denied',
        message: 'The role may not list keys. Missing permission: kms:ListKeys.',
        provider: 'aws',
        region: 'us-east-1',
        service: 'lists',
        resource_type: 'AWS::KMS::Key',
        retryable: false,
        count: 1,
      },
    ]);
    expect(await under.ledger(account.id)).toEqual([
      expect.objectContaining({ part_key: QUEUES.key, checked_at: expect.any(Date), code: null, resource_count: 1 }),
      expect.objectContaining({
        part_key: KEYS.key,
        checked_at: null,
        code: 'access_denied',
        permission: 'kms:ListKeys',
      }),
    ]);
  });

  test('a scan in which every part failed has failed', async () => {
    cloud().account.parts = [QUEUES, TOPICS].map((part) => ({
      part,
      pages: [],
      ends_with: fakeFault('throttled', 'AWS is limiting requests.', { retryable: true }),
    }));
    const run = await scan();

    expect(run).toMatchObject({ status: 'error', resource_count: 0 });
    expect(run.scan_errors.map(({ code, retryable }) => [code, retryable])).toEqual([
      ['throttled', true],
      ['throttled', true],
    ]);
  });

  test('an error of an adapter fails its part and is in the log', async () => {
    cloud().account.parts = [QUEUES, TOPICS].map((part) => ({ part, pages: [[fakeResource(part.key)]] }));
    cloud().onPage = async (part) => {
      if (part.key === TOPICS.key) throw new TypeError('a bug');
    };

    expect(await scan()).toMatchObject({ status: 'done', scan_errors: [{ code: 'internal' }] });
    expect(under.warnings).toEqual([expect.objectContaining({ part: TOPICS.key })]);
  });

  test('what the outline says will not be read is in the ledger and not among the errors', async () => {
    cloud().account.parts = [{ part: QUEUES, pages: [[]] }];
    cloud().account.unchecked = [{ ...TOPICS, code: 'unsupported_type', message: 'Topics are not listed.' }];

    expect(await scan()).toMatchObject({ status: 'done', scan_errors: [] });
    expect(await under.ledger(account.id)).toMatchObject([
      { part_key: TOPICS.key, checked_at: null, code: 'unsupported_type', message: 'Topics are not listed.' },
      { part_key: QUEUES.key, checked_at: expect.any(Date), code: null },
    ]);
  });

  test('an outline that the cloud does not give ends the scan with its reason', async () => {
    cloud().account.hidden = fakeFault('timeout', 'AWS did not respond.');
    const run = await scan();

    expect(run).toMatchObject({ status: 'error', scan_errors: [{ code: 'timeout', count: 1 }] });
    expect(await under.accounts.get(org, account.id)).toMatchObject({ status: 'active' });
  });
});

describe('credentials', () => {
  test('credentials of another account write nothing, are audited, and make the account invalid', async () => {
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('a')]] }];
    cloud().actual_account = '999999999999';
    const run = await scan();

    expect(run).toMatchObject({ status: 'error', scan_errors: [{ code: 'credential_error' }] });
    expect(run.scan_errors[0]?.message).toContain('belong to 999999999999, not to 123456789012');
    expect([await ids(), cloud().pages]).toEqual([[], []]);
    expect(await under.accounts.get(org, account.id)).toMatchObject({ status: 'invalid' });
    expect(under.audit.events.at(-1)).toMatchObject({
      action: 'cloud_account.identity_mismatch_rejected',
      actor_email: '',
      detail: { claimed_external_account: '123456789012' },
    });
  });

  test('credentials revoked in mid-scan stop it, keep what was read, and make the account invalid', async () => {
    const parts = Array.from({ length: 30 }, (_, i) => fakePart(`AWS::Made::Type${i}`));
    cloud().account.parts = parts.map((part) => ({ part, pages: [[fakeResource(part.key)]] }));
    let asked = 0;
    cloud().onPage = async () => {
      asked += 1;
      if (asked > 10) cloud().fail('credential_error', 'The access key was deleted.');
    };
    const run = await scan();

    expect(run.status).toBe('done');
    expect(run.scan_errors[0]).toMatchObject({ code: 'credential_error', message: 'The access key was deleted.' });
    expect(asked).toBeLessThanOrEqual(10 + 8);
    expect((await ids()).length).toBe(run.resource_count);
    expect(run.resource_count).toBeGreaterThan(0);
    expect(run.scan_errors[0]?.count).toBe(30 - Number(run.resource_count));
    const after = await under.accounts.get(org, account.id);
    expect(after).toMatchObject({ status: 'invalid', status_reason: 'The access key was deleted.' });
    const unread = (await under.ledger(account.id)).filter((row) => row.checked_at === null);
    expect(new Set(unread.map((row) => row.code))).toEqual(new Set(['credential_error']));
  });

  test('credentials that were replaced in the meantime stay valid', async () => {
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('a')]] }];
    cloud().onPage = async () => {
      cloud().onPage = async () => {};
      await under.accounts.update(
        owner,
        org,
        account.id,
        { credentials: { role_arn: 'arn:aws:iam::123456789012:role/new' } },
        () => {},
      );
      cloud().fail('credential_error', 'The access key was deleted.');
    };

    expect(await scan()).toMatchObject({ status: 'error' });
    expect(await under.accounts.get(org, account.id)).toMatchObject({ status: 'active' });
  });

  test('a scan of an account that was deleted after it was queued says so', async () => {
    const { id } = await under.cloudScans.create(owner, org, { cloud_account_id: account.id });
    await under.accounts.remove(owner, org, account.id);
    await under.run(org, id);

    const { run } = await under.scans.get(org, id);
    expect(run).toMatchObject({
      status: 'error',
      scan_errors: [{ message: 'The account was deleted. Nothing more was read.' }],
    });
  });
});

describe('regions', () => {
  test('a scan of some regions reads only those and says nothing about the others', async () => {
    cloud().account.parts = [
      { part: QUEUES, pages: [[fakeResource('a')]] },
      { part: KEYS, pages: [[fakeResource('k', { region: 'us-east-1' })]] },
    ];
    await scan();
    const before = await under.ledger(account.id);
    cloud().account.parts = [
      { part: QUEUES, pages: [[]] },
      { part: KEYS, pages: [[]] },
    ];
    later();
    expect(await scan(['eu-west-1'])).toMatchObject({ status: 'done', resource_count: 0 });

    const rows = await under.resources(account.id);
    expect(rows.map((row) => [row.provider_resource_id, row.gone_at === null])).toEqual([
      ['a', false],
      ['k', true],
    ]);
    const after = await under.ledger(account.id);
    expect(after.find(({ part_key }) => part_key === KEYS.key)).toEqual(
      before.find(({ part_key }) => part_key === KEYS.key),
    );
  });

  test('a part whose pages leave out other regions says nothing about those', async () => {
    const all = { ...fakePart('everything', null), by_region: true };
    const pages = [
      [fakeResource('a'), fakeResource('k', { region: 'us-east-1' }), fakeResource('g', { region: null })],
    ];
    cloud().account.parts = [{ part: all, pages }];
    await scan();
    const [before] = await under.ledger(account.id);
    later();
    cloud().account.parts = [{ part: all, pages: [[]] }];
    await scan(['eu-west-1']);

    const gone = (await under.resources(account.id)).filter((row) => row.gone_at !== null);
    expect(gone.map((row) => row.provider_resource_id)).toEqual(['a', 'g']);
    expect((await under.ledger(account.id))[0]).toEqual(before);
  });

  test('a region that was switched off is marked in the ledger, and its resources are not gone', async () => {
    cloud().account.parts = [
      { part: QUEUES, pages: [[fakeResource('a')]] },
      { part: KEYS, pages: [[fakeResource('k', { region: 'us-east-1' })]] },
    ];
    await scan();
    later();
    cloud().account.parts = [{ part: QUEUES, pages: [[fakeResource('a')]] }];
    await scan();

    const row = (await under.ledger(account.id)).find(({ part_key }) => part_key === KEYS.key);
    expect(row).toMatchObject({ code: 'region_disabled', checked_at: expect.any(Date), retryable: false });
    expect((await under.resources(account.id)).every(({ gone_at }) => gone_at === null)).toBe(true);
  });

  test('a region that the caller asked for and that is switched off makes the scan partial', async () => {
    cloud().account.parts = [{ part: fakePart('AWS::IAM::Role', null), pages: [[]] }];
    const message = 'The region me-south-1 is switched off.';
    cloud().account.unchecked = [
      { ...fakePart('', 'me-south-1'), provider_type: null, code: 'region_disabled', message },
    ];

    const run = await scan(['me-south-1']);

    expect(run).toMatchObject({ status: 'done', scan_errors: [{ code: 'region_disabled', message }] });
  });

  test('a region that the account does not read is refused', async () => {
    await under.accounts.update(owner, org, account.id, { regions: ['eu-west-1'] }, () => {});
    const start = (region: string) =>
      under.cloudScans.create(owner, org, { cloud_account_id: account.id, filter_regions: [region] });

    await expect(start('us-east-1')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"us-east-1"'),
    });
    expect(await start('eu-west-1')).toMatchObject({ status: 'pending' });
  });
});

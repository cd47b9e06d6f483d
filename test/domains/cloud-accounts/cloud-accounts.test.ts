import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccountInput, AccountUpdate, CloudAccount } from '../../../server/domains/cloud-accounts/types.ts';
import { PreconditionFailed } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { insertResources } from '../../helpers/inventory.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { AWS_ROLE, type CloudAccountsUnderTest, setUpCloudAccounts } from './setup.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG';
const AWS_KEY: AccountInput = {
  ...AWS_ROLE,
  credential_type: 'aws_access_key',
  credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: SECRET },
};
const AZURE: AccountInput = {
  provider: 'azure',
  display_name: 'Azure',
  external_account_id: '3F0C1E1C-6F6E-4A8E-9D4D-0C8F3A4B7C11',
  credential_type: 'azure_federated',
  credentials: { tenant_id: newId(), client_id: newId() },
};

let under: CloudAccountsUnderTest;
let owner: Principal;
let org: string;
beforeAll(async () => {
  under = await setUpCloudAccounts();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  for (const cloud of Object.values(under.clouds)) cloud.reset();
  ({ owner, org } = await under.makeOwner());
});

const anyState = () => {};
const create = (input: AccountInput = AWS_ROLE) => under.accounts.create(owner, org, input);
const update = (id: string, changes: AccountUpdate, assertKnown: (one: CloudAccount) => void = anyState) =>
  under.accounts.update(owner, org, id, changes, assertKnown);
const list = () => under.accounts.list(org, {}, { limit: 50, offset: 0 });
const events = () => under.audit.selectEvents(org).map(({ action, detail }) => ({ action, detail }));
const withAccount = (digits: string): AccountInput => ({
  ...AWS_ROLE,
  external_account_id: digits,
  credentials: { role_arn: `arn:aws:iam::${digits}:role/dpa` },
});

describe('a new account', () => {
  test('it is stored with the identity that the cloud reports, and audited', async () => {
    const account = await create({ ...AWS_ROLE, display_name: ' Production ', regions: ['eu-west-1'] });

    expect(account).toMatchObject({
      org_id: org,
      display_name: 'Production',
      external_account_id: '123456789012',
      regions: ['eu-west-1'],
      enabled: true,
      status: 'active',
      status_reason: null,
      identity: 'arn:aws:iam::123456789012:assumed-role/readers/dpa/dpa',
      credential_hint: 'dpa',
      last_validated_at: under.clock.now,
      last_scan_id: null,
      resource_count: 0,
      created_by: { id: owner.user.id, email: owner.user.email },
    });
    expect(await under.accounts.get(org, account.id)).toEqual(account);
    const { provider, credential_type, external_account_id, display_name } = account;
    const detail = { account_id: account.id, provider, credential_type, external_account_id, display_name };
    expect(events()).toEqual([{ action: 'cloud_account.created', detail }]);
  });

  test('the cloud is asked with the subject and the external ID of the organization, and every session is closed', async () => {
    await create();
    await create({ ...AZURE });

    const { external_id } = await awsSetup();
    expect(under.clouds.aws.opened).toEqual([
      {
        provider: 'aws',
        external_account_id: '123456789012',
        regions: [],
        token_subject: `deployment:test:org:${org}`,
        credentials: { credential_type: 'aws_role', role_arn: AWS_ROLE.credentials.role_arn, external_id },
      },
    ]);
    expect(under.clouds.azure.opened[0]?.external_account_id).toBe('3f0c1e1c-6f6e-4a8e-9d4d-0c8f3a4b7c11');
    expect([under.clouds.aws.open_sessions, under.clouds.azure.open_sessions]).toEqual([0, 0]);
  });

  test('credentials of another account are rejected and audited, and nothing is stored', async () => {
    const other = { role_arn: 'arn:aws:iam::999988887777:role/dpa' };

    await expect(create({ ...AWS_ROLE, credentials: other })).rejects.toMatchObject({
      status: 422,
      error_class: 'cloud_identity_mismatch',
      message: expect.stringContaining('belong to 999988887777, not to 123456789012; use credentials of that account'),
    });

    expect((await list()).total).toBe(0);
    const reason = 'the credentials belong to 999988887777, not to 123456789012';
    const detail = { provider: 'aws', credential_type: 'aws_role', claimed_external_account: '123456789012', reason };
    expect(events()).toEqual([{ action: 'cloud_account.identity_mismatch_rejected', detail }]);
  });

  test.each(['credential_error', 'access_denied'] as const)(
    'credentials with %s are rejected without an audit entry',
    async (code) => {
      under.clouds.aws.fail(code, 'The role does not trust this service. Add its principal.');

      await expect(create()).rejects.toMatchObject({
        status: 422,
        error_class: 'cloud_credentials_rejected',
        message: 'The role does not trust this service. Add its principal. Nothing was stored.',
      });
      expect([(await list()).total, events()]).toEqual([0, []]);
    },
  );

  test.each(['throttled', 'timeout', 'parse_error', 'internal'] as const)(
    'a cloud with %s is 503, and nothing is stored',
    async (code) => {
      under.clouds.aws.fail(code, 'AWS sent a page instead of data.');

      await expect(create()).rejects.toMatchObject({
        status: 503,
        error_class: 'cloud_unreachable',
        message: expect.stringMatching(/^AWS sent a page instead of data\. The credentials could not be checked\./),
        extra: { retry_after: 30 },
      });
      expect([(await list()).total, events()]).toEqual([0, []]);
    },
  );

  test('a cloud that does not respond is 503 after the timeout', async () => {
    under.clouds.aws.hangs = true;

    await expect(create()).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('did not respond in time'),
    });
    expect(under.clouds.aws.open_sessions).toBe(0);
  });

  test('a bug of an adapter is not blamed on the cloud', async () => {
    under.clouds.aws.bug = new TypeError('x is undefined');

    await expect(create()).rejects.toBe(under.clouds.aws.bug);
  });

  test('an account that the organization has is a conflict, found before the cloud is asked', async () => {
    await create();
    under.clouds.aws.reset();

    await expect(create(AWS_KEY)).rejects.toMatchObject({ status: 409, error_class: 'cloud_account_exists' });
    expect(under.clouds.aws.opened).toEqual([]);
  });

  test('of concurrent additions of one account one succeeds', async () => {
    expect(await outcomes([1, 2, 3].map(() => create()))).toEqual({ ok: 1, cloud_account_exists: 2 });
  });

  test('concurrent additions never exceed the limit of the plan', async () => {
    ({ owner, org } = await under.makeOwner('free'));
    const attempts = ['111111111111', '222222222222', '333333333333'].map((digits) => create(withAccount(digits)));

    expect(await outcomes(attempts)).toEqual({ ok: 1, plan_limit_exceeded: 2 });
    expect((await list()).total).toBe(1);
    await expect(create(withAccount('444444444444'))).rejects.toMatchObject({
      status: 402,
      extra: { body: { resource: 'cloud_accounts', limit: 1, used: 1, required_plan: 'team' } },
    });
  });

  test('two organizations can have the same account, and only their own', async () => {
    const { id } = await create();
    const other = await under.makeOwner();
    const theirs = await under.accounts.create(other.owner, other.org, AWS_ROLE);

    await expect(under.accounts.get(other.org, id)).rejects.toMatchObject({ status: 404 });
    await expect(under.accounts.remove(owner, org, theirs.id)).rejects.toMatchObject({ status: 404 });
    await expect(under.accounts.openAccount(other.org, id)).rejects.toMatchObject({ status: 404 });
    await expect(under.accounts.validate(other.owner, other.org, id)).rejects.toMatchObject({ status: 404 });
  });

  test('a failure to store the response stores no account', async () => {
    const broken = async () => {
      throw new Error('the response was not stored');
    };

    await expect(under.accounts.create(owner, org, AWS_ROLE, broken)).rejects.toThrow('not stored');
    expect([(await list()).total, events()]).toEqual([0, []]);
  });
});

describe('credential types that need an identity of the deployment', () => {
  const WEB: AccountInput = { ...AWS_ROLE, credential_type: 'aws_web_identity' };

  test.each<[string, AccountInput, object, string]>([
    ['aws_role', AWS_ROLE, { aws_principal_arn: null }, 'FEDERATION_AWS_PRINCIPAL_ARN'],
    ['aws_web_identity', WEB, { subject: null }, 'API_URL and FEDERATION_SUBJECT'],
    ['azure_federated', AZURE, { api_url: null }, 'API_URL and FEDERATION_SUBJECT'],
    ['azure_federated', AZURE, { signs_rs256: false }, 'FEDERATION_SIGNING_KEY with an RSA key'],
  ])('%s is 503 without one, and names the settings', async (_type, input, settings, variables) => {
    await expect(under.instance(settings).create(owner, org, input)).rejects.toMatchObject({
      status: 503,
      error_class: 'federation_not_configured',
      message: expect.stringContaining(variables),
    });
  });

  test('keys need none', async () => {
    const account = await under
      .instance({ api_url: null, subject: null, aws_principal_arn: null })
      .create(owner, org, AWS_KEY);

    expect(account.status).toBe('active');
  });
});

describe('the list', () => {
  test('it is newest first, in pages, and can be filtered by cloud', async () => {
    await create();
    under.clock.now = minutesLater(under.clock.now, 1);
    const azure = await create(AZURE);
    const names = async (filter: { provider?: 'aws' | 'azure' | 'gcp' }, page = { limit: 50, offset: 0 }) => {
      const { cloud_accounts, total } = await under.accounts.list(org, filter, page);
      return [total, ...cloud_accounts.map(({ provider }) => provider)];
    };

    expect(await names({})).toEqual([2, 'azure', 'aws']);
    expect(await names({}, { limit: 1, offset: 1 })).toEqual([2, 'aws']);
    expect(await names({ provider: 'azure' })).toEqual([1, 'azure']);
    expect(await names({ provider: 'gcp' })).toEqual([0]);
    expect(azure.external_account_id).toBe(AZURE.external_account_id.toLowerCase());
  });

  test('an account shows its latest scan that ended without an error', async () => {
    const { id } = await create();
    const scan = { org_id: org, kind: 'cloud', cloud_account_id: id, provider: 'aws', scan_type: 'manual' };
    const [first, failed] = [newId(), newId()];
    const at = (minutes: number) => minutesLater(under.clock.now, minutes);
    await under.database.admin_db('scan_runs').insert([
      { id: first, ...scan, status: 'done', resource_count: 2, created_at: at(1), finished_at: at(2) },
      { id: failed, ...scan, status: 'error', resource_count: null, created_at: at(3), finished_at: at(4) },
    ]);
    const place = { org_id: org, cloud_account_id: id };
    await insertResources(under.database.admin_db, place, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);

    expect(await under.accounts.get(org, id)).toMatchObject({
      last_scan_id: first,
      last_scan_at: at(2),
      resource_count: 3,
    });
  });
});

describe('an update', () => {
  test('name, regions and switch change without asking the cloud', async () => {
    const { id } = await create();
    under.clouds.aws.reset();
    under.clock.now = minutesLater(under.clock.now, 1);

    const changed = await update(id, { display_name: ' Prod ', regions: ['eu-west-1'], enabled: false });

    expect(changed).toMatchObject({ display_name: 'Prod', regions: ['eu-west-1'], enabled: false });
    expect(changed.updated_at).toEqual(under.clock.now);
    expect(under.clouds.aws.opened).toEqual([]);
    const detail = { account_id: id, credential_type: 'aws_role', credentials_changed: false };
    expect(events().at(-1)).toEqual({ action: 'cloud_account.updated', detail });
  });

  test('an update without an effect writes nothing', async () => {
    const before = await create();
    under.clock.now = minutesLater(under.clock.now, 1);

    expect(await update(before.id, { display_name: 'Production', regions: [], enabled: true })).toEqual(before);
    expect(events()).toHaveLength(1);
  });

  test('an update with an outdated state changes nothing and asks nobody', async () => {
    const { id } = await create();
    under.clouds.aws.reset();
    const refuse = () => {
      throw new PreconditionFailed('changed');
    };

    const changes = { credentials: { role_arn: 'arn:aws:iam::123456789012:role/new' } };
    await expect(update(id, changes, refuse)).rejects.toMatchObject({ status: 412 });
    expect(under.clouds.aws.opened).toEqual([]);
  });

  test('a state that becomes outdated while the cloud is asked changes nothing', async () => {
    const { id } = await create();
    const known = await under.accounts.get(org, id);
    const assertKnown = (present: CloudAccount) => {
      if (present.display_name !== known.display_name) throw new PreconditionFailed('changed');
    };
    under.clouds.aws.meanwhile = async () => void (await update(id, { display_name: 'Renamed' }));

    const changes = { credentials: { role_arn: 'arn:aws:iam::123456789012:role/new' } };
    await expect(update(id, changes, assertKnown)).rejects.toMatchObject({ status: 412 });
    expect(await under.accounts.openAccount(org, id)).toMatchObject({
      credentials: { role_arn: AWS_ROLE.credentials.role_arn },
    });
  });

  test('new credentials, also of another type, replace the old ones after the cloud has confirmed them', async () => {
    const { id } = await create();
    const { credential_type, credentials } = AWS_KEY;

    const changed = await update(id, { credential_type, credentials });

    expect(changed).toMatchObject({ credential_type, credential_hint: 'MPLE', status: 'active' });
    expect(await under.accounts.openAccount(org, id)).toMatchObject({
      credentials: { credential_type, ...credentials },
    });
    const detail = { account_id: id, credential_type, credentials_changed: true };
    expect(events().at(-1)).toEqual({ action: 'cloud_account.updated', detail });
  });

  test.each<[string, () => void, AccountUpdate, number]>([
    ['of another account', () => {}, { credentials: { role_arn: 'arn:aws:iam::999988887777:role/dpa' } }, 422],
    [
      'that the cloud rejects',
      () => under.clouds.aws.fail('credential_error', 'no'),
      { credentials: { role_arn: 'arn:aws:iam::123456789012:role/new' } },
      422,
    ],
    [
      'that cannot be proven now',
      () => under.clouds.aws.fail('timeout', 'no'),
      { credentials: { role_arn: 'arn:aws:iam::123456789012:role/new' } },
      503,
    ],
    ['of another cloud', () => {}, { credential_type: 'azure_federated', credentials: AZURE.credentials }, 400],
    ['of a type without them', () => {}, { credential_type: 'aws_access_key' }, 400],
    ['that lack a field', () => {}, { credentials: {} }, 400],
  ])('credentials %s are not stored, and the old ones are kept', async (_what, prepare, changes, status) => {
    const before = await create();
    prepare();

    await expect(update(before.id, { display_name: 'New', ...changes })).rejects.toMatchObject({ status });

    expect(await under.accounts.get(org, before.id)).toEqual(before);
    expect(await under.accounts.openAccount(org, before.id)).toMatchObject({
      credentials: { role_arn: AWS_ROLE.credentials.role_arn },
    });
  });

  test('an account that is deleted while the cloud is asked gets no credentials', async () => {
    const { id } = await create();
    under.clouds.aws.meanwhile = async () => {
      under.clouds.aws.meanwhile = async () => {};
      await under.accounts.remove(owner, org, id);
    };

    await expect(update(id, { credentials: AWS_ROLE.credentials })).rejects.toMatchObject({ status: 404 });
    expect((await under.row(id)).credentials_ct).toBeNull();
  });
});

describe('a deletion', () => {
  test('it erases the credentials at once, and is audited', async () => {
    const { id } = await create(AWS_KEY);

    await under.accounts.remove(owner, org, id);

    const row = await under.row(id);
    expect(row).toMatchObject({ credentials_ct: null, credential_hint: null, enabled: false });
    expect(row.deleted_at).toEqual(under.clock.now);
    expect(events().at(-1)).toEqual({ action: 'cloud_account.deleted', detail: { account_id: id } });
    const attempts = [
      under.accounts.get(org, id),
      update(id, { enabled: true }),
      under.accounts.validate(owner, org, id),
      under.accounts.openAccount(org, id),
      under.accounts.remove(owner, org, id),
    ];
    expect(await outcomes(attempts)).toEqual({ not_found: 5 });
  });

  test('the account can be added again and no longer counts', async () => {
    ({ owner, org } = await under.makeOwner('free'));
    const { id } = await create();
    await under.accounts.remove(owner, org, id);

    expect((await create()).id).not.toBe(id);
  });
});

describe('stored credentials', () => {
  test('they are encrypted and bound to their row', async () => {
    const { id } = await create(AWS_KEY);
    const other = await create({ ...AWS_KEY, external_account_id: '222222222222' });
    const { credentials_ct, ...visible } = await under.row(id);

    expect(credentials_ct.includes(SECRET)).toBe(false);
    expect(JSON.stringify(visible)).not.toContain(SECRET);
    await under.database.admin_db('cloud_accounts').where({ id: other.id }).update({ credentials_ct });
    await expect(under.accounts.openAccount(org, other.id)).rejects.toMatchObject({ error_class: 'decrypt_failed' });
  });

  test('they can be opened for a scan, also of a disabled account', async () => {
    const { id } = await create(AWS_KEY);
    await update(id, { enabled: false, regions: ['eu-west-1'] });

    expect(await under.accounts.openAccount(org, id)).toEqual({
      provider: 'aws',
      external_account_id: '123456789012',
      regions: ['eu-west-1'],
      enabled: false,
      token_subject: `deployment:test:org:${org}`,
      credentials: { credential_type: 'aws_access_key', ...AWS_KEY.credentials },
    });
  });

  test('the only account of a cloud is found', async () => {
    expect(await under.accounts.findOnlyAccount(org, 'aws')).toBeUndefined();
    const { id } = await create();
    await create(AZURE);
    expect(await under.accounts.findOnlyAccount(org, 'aws')).toBe(id);
    await create(withAccount('222222222222'));
    expect(await under.accounts.findOnlyAccount(org, 'aws')).toBeUndefined();
  });
});

async function awsSetup() {
  const setup = await under.accounts.getSetup(org, 'aws');
  if (setup.provider !== 'aws') throw new Error('not the setup of AWS');
  return setup.aws;
}

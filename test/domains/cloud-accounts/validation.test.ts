import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { minutesLater } from '../orgs/setup.ts';
import { AWS_ROLE, type CloudAccountsUnderTest, setUpCloudAccounts } from './setup.ts';

let under: CloudAccountsUnderTest;
let owner: Principal;
let org: string;
let id: string;
beforeAll(async () => {
  under = await setUpCloudAccounts();
});
afterAll(() => under.database.close());
beforeEach(async () => {
  under.clouds.aws.reset();
  ({ owner, org } = await under.makeOwner());
  ({ id } = await under.accounts.create(owner, org, AWS_ROLE));
  under.audit.events.length = 0;
  under.clock.now = minutesLater(under.clock.now, 1);
});

const validate = () => under.accounts.validate(owner, org, id);
const account = () => under.accounts.get(org, id);
const REJECTED = { valid: false, identity: null, external_account_id: null, permissions: [] };

describe('a validation', () => {
  test('it lists the permissions, stores the result and its time, and is not audited', async () => {
    expect(await validate()).toEqual({
      valid: true,
      identity: 'arn:aws:iam::123456789012:assumed-role/readers/dpa/dpa',
      external_account_id: '123456789012',
      permissions: [
        { name: 'inventory:ListResources', granted: true, needed_for: 'Listing resources' },
        { name: 'inventory:GetResource', granted: true, needed_for: 'Reading properties' },
      ],
      checked_at: under.clock.now,
      error: null,
    });
    expect(await account()).toMatchObject({
      status: 'active',
      status_reason: null,
      last_validated_at: under.clock.now,
    });
    expect(under.audit.events).toEqual([]);
    expect(under.clouds.aws.open_sessions).toBe(0);
  });

  test('missing permissions leave the account active, and are named', async () => {
    under.clouds.aws.denied.add('inventory:GetResource');

    const { valid, permissions } = await validate();

    expect([valid, permissions.map(({ granted }) => granted)]).toEqual([true, [true, false]]);
    expect(await account()).toMatchObject({
      status: 'active',
      status_reason: '1 of 2 permissions are missing: inventory:GetResource; scans cannot see what needs them',
    });
  });

  test('rejected credentials make the account invalid with the reason, until they work again', async () => {
    under.clouds.aws.fail('credential_error', 'the role no longer exists; create it again');

    const error = 'the role no longer exists; create it again';
    expect(await validate()).toEqual({ ...REJECTED, checked_at: under.clock.now, error });
    expect(await account()).toMatchObject({ status: 'invalid', status_reason: error });

    under.clouds.aws.reset();
    await validate();
    expect(await account()).toMatchObject({ status: 'active', status_reason: null });
  });

  test('credentials that now belong to another account are 422, audited, and make the account invalid', async () => {
    under.clouds.aws.actual_account = '999988887777';

    await expect(validate()).rejects.toMatchObject({ status: 422, error_class: 'cloud_identity_mismatch' });

    const reason = 'the credentials belong to 999988887777, not to 123456789012';
    expect(await account()).toMatchObject({ status: 'invalid', status_reason: reason });
    expect(under.audit.events).toMatchObject([
      { action: 'cloud_account.identity_mismatch_rejected', detail: { reason } },
    ]);
  });

  test('a cloud that cannot be asked is 503 and changes nothing', async () => {
    const before = await account();
    under.clouds.aws.fail('timeout', 'no response');

    await expect(validate()).rejects.toMatchObject({ status: 503, error_class: 'cloud_unreachable' });
    expect(await account()).toEqual(before);
  });

  test('its result is dropped if the credentials are replaced meanwhile', async () => {
    under.clouds.aws.meanwhile = async () => {
      under.clouds.aws.meanwhile = async () => {};
      const credentials = { role_arn: 'arn:aws:iam::123456789012:role/new' };
      await under.accounts.update(owner, org, id, { credentials }, () => {});
      under.clouds.aws.fail('credential_error', 'the old role is gone');
    };

    expect((await validate()).valid).toBe(false);
    expect(await account()).toMatchObject({ status: 'active', status_reason: null, credential_hint: 'new' });
  });

  test('credentials that no key of the deployment decrypts are reported, and the status does not change', async () => {
    const before = await account();
    const check = await under.instance({}, createSealer([Buffer.alloc(32, 9)])).validate(owner, org, id);

    expect(check).toMatchObject({ ...REJECTED, error: expect.stringContaining('enter them again') });
    expect(await account()).toEqual(before);
  });
});

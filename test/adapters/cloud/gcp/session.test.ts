import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FakeGoogle, PROJECT_ID, startGoogle } from '../../../fakes/cloud/gcp/index.ts';
import { findFault, never, readAll } from '../reading.ts';
import { bucket, connectGcp, federated, openGcp, signTokens, useKey } from './setup.ts';

let google: FakeGoogle;
beforeEach(async () => {
  google = await startGoogle();
});
afterEach(() => google.close());

const EMAIL = `dpa-reader@${PROJECT_ID}.iam.gserviceaccount.com`;

describe('identity', () => {
  test('a service account key opens its project', async () => {
    const identity = await openGcp(google).identify(never);

    expect(identity).toEqual({ identity: EMAIL, external_account_id: PROJECT_ID });
    expect(google.calls).toEqual(['oauth2 token', 'cloudresourcemanager projects.get']);
  });

  test('a federated token opens a project without a key', async () => {
    const identity = await openGcp(google, { credentials: federated(google) }).identify(never);

    expect(identity.identity).toBe(EMAIL);
    expect(google.calls).toEqual([
      'sts token',
      'iamcredentials generateAccessToken',
      'cloudresourcemanager projects.get',
    ]);
  });

  test.each(['//iam.googleapis.com/', 'https://iam.googleapis.com/', ''])(
    'the name of a provider can start with "%s"',
    async (start) => {
      const audience = google.pool.provider.replace('//iam.googleapis.com/', start);

      const session = openGcp(google, { credentials: federated(google, { audience }) });

      await expect(session.identify(never)).resolves.toMatchObject({ external_account_id: PROJECT_ID });
    },
  );

  test('one token serves a session, and concurrent calls share it', async () => {
    const session = openGcp(google);

    await Promise.all([session.identify(never), session.identify(never), session.checkPermissions(never)]);

    expect(google.calls.filter((call) => call === 'oauth2 token')).toHaveLength(1);
  });

  test('a token is replaced before it expires', async () => {
    let now = new Date();
    const session = openGcp(google, { now: () => now });
    await session.identify(never);

    now = new Date(now.getTime() + 58.5 * 60_000);
    google.now = () => now;
    await session.identify(never);

    expect(google.calls.filter((call) => call === 'oauth2 token')).toHaveLength(2);
  });

  test('a project that the service account cannot see is denied with the permission', async () => {
    const fault = await findFault(openGcp(google, { project_id: 'someone-else' }).identify(never));

    expect(fault).toMatchObject({
      code: 'access_denied',
      permission: 'resourcemanager.projects.get',
      retryable: false,
    });
  });

  test('a project that is being deleted is not connected', async () => {
    google.project.state = 'DELETE_REQUESTED';

    await expect(findFault(openGcp(google).identify(never))).resolves.toMatchObject({
      code: 'access_denied',
      message: expect.stringContaining('being deleted'),
    });
  });

  test('a credential of another cloud is a credential error', async () => {
    const credentials = { credential_type: 'azure_federated', tenant_id: 't', client_id: 'c' } as const;

    await expect(findFault(openGcp(google, { credentials }).identify(never))).resolves.toMatchObject({
      code: 'credential_error',
    });
    expect(google.calls).toEqual([]);
  });
});

describe('rejected credentials', () => {
  test.each([
    ['not JSON', 'no key', /not a JSON document/],
    ['of another type', { type: 'authorized_user' }, /"type" must be "service_account"/],
    ['with the token address of a stranger', { token_uri: 'https://evil.example/token' }, /"token_uri" must be/],
    ['of another universe', { universe_domain: 'apis-tpclp.goog' }, /does not belong to Google Cloud/],
    ['without a private key', { private_key: undefined }, /incomplete/],
    ['with a strange email', { client_email: 'a b' }, /incomplete/],
    [
      'with a damaged private key',
      { private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' },
      /cannot be read/,
    ],
  ])('a key %s is rejected before any call', async (_what, changes, message) => {
    const credentials =
      typeof changes === 'string'
        ? ({ credential_type: 'gcp_service_account_key', service_account_json: changes } as const)
        : useKey(google, changes);

    const fault = await findFault(openGcp(google, { credentials }).checkPermissions(never));

    expect(fault.code).toBe('credential_error');
    expect(fault.message).toMatch(message);
    expect(google.calls).toEqual([]);
  });

  test('the older token address of key files is accepted, and never called', async () => {
    const credentials = useKey(google, { token_uri: 'https://accounts.google.com/o/oauth2/token' });

    await expect(openGcp(google, { credentials }).identify(never)).resolves.toMatchObject({ identity: EMAIL });
  });

  test('a deleted key is reported', async () => {
    google.service_account.revoked = true;

    const fault = await findFault(openGcp(google).identify(never));

    expect(fault).toMatchObject({ code: 'credential_error', service: 'oauth2' });
    expect(fault.message).toMatch(/key of the service account was deleted or disabled/);
  });

  test('a deleted service account is reported', async () => {
    const credentials = useKey(google, { client_email: `gone@${PROJECT_ID}.iam.gserviceaccount.com` });

    const fault = await findFault(
      openGcp(google, { credentials })
        .identify(never)
        .catch((error) => Promise.reject(error)),
    );

    expect(fault.message).toMatch(/service account does not exist/);
  });

  test.each([-7_200_000, 7_200_000])('a clock that is wrong by %d ms is named as the cause', async (difference) => {
    const now = () => new Date(Date.now() + difference);

    const fault = await findFault(openGcp(google, { now }).identify(never));

    expect(fault.code).toBe('credential_error');
    expect(fault.message).toMatch(/clock of this server is wrong/);
  });

  test('a federated token from a wrong clock is named as the cause', async () => {
    const signToken = signTokens(google, () => new Date(Date.now() - 3_600_000));

    const fault = await findFault(openGcp(google, { credentials: federated(google), signToken }).identify(never));

    expect(fault.message).toMatch(/clock of this server is wrong/);
  });

  test('an unknown refusal with a wrong clock names the difference', async () => {
    google.headers = { date: new Date(Date.now() - 660_000).toUTCString() };
    google.troubles.push({ operation: 'oauth2 token', how: { status: 400, body: { error: 'invalid_grant' } } });

    const fault = await findFault(openGcp(google).identify(never));

    expect(fault.message).toMatch(/11 minutes ahead of that of the cloud/);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'an unknown provider',
      () => {
        google.pool.provider = google.pool.provider.replace('dpa-main', 'dpa-other');
      },
      /provider does not exist, or is disabled/,
    ],
    [
      'a subject that the provider rejects',
      () => {
        google.pool.subject = 'deployment:test:org:2';
      },
      /attribute condition/,
    ],
    [
      'an issuer that the provider does not expect',
      () => {
        google.pool.issuer = 'https://other.example.com';
      },
      /expects another issuer/,
    ],
    [
      'a service account without the binding',
      () => {
        google.service_account.impersonable = false;
      },
      /roles\/iam.workloadIdentityUser/,
    ],
  ])('%s is reported with what to do', async (_what, change, message) => {
    const session = openGcp(google, { credentials: federated(google), signToken: signTokens(google) });
    change();

    const fault = await findFault(session.identify(never));

    expect(fault.code).toBe('credential_error');
    expect(fault.message).toMatch(message);
  });

  test('an audience that is not the name of a provider is rejected before any call', async () => {
    const audience = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool';

    const fault = await findFault(openGcp(google, { credentials: federated(google, { audience }) }).identify(never));

    expect(fault.message).toMatch(/full name of the workload identity provider/);
    expect(google.calls).toEqual([]);
  });

  test('a token that was revoked in the middle of a scan is a credential error', async () => {
    google.resources = [bucket('one')];
    const session = openGcp(google);
    await readAll(session);
    google.revoke(true);

    await expect(findFault(readAll(session))).resolves.toMatchObject({ code: 'credential_error' });
  });

  test('a token that ended early is replaced once', async () => {
    const session = openGcp(google);
    await session.identify(never);
    google.revoke(false);

    await expect(session.identify(never)).resolves.toMatchObject({ identity: EMAIL });
    expect(google.calls.filter((call) => call === 'oauth2 token')).toHaveLength(2);
  });

  test('a token response without a token is a parse error', async () => {
    google.troubles.push({
      operation: 'oauth2 token',
      how: { status: 200, body: { access_token: 'a\nb', expires_in: 9 } },
    });

    await expect(findFault(openGcp(google).identify(never))).resolves.toMatchObject({ code: 'parse_error' });
  });
});

describe('permissions', () => {
  test('every declared permission is checked, and the API', async () => {
    const checks = await openGcp(google, { credentials: federated(google) }).checkPermissions(never);

    expect(checks.map(({ name, granted }) => [name, granted])).toEqual([
      ['iam.serviceAccounts.getAccessToken', true],
      ['resourcemanager.projects.get', true],
      ['cloudasset.assets.searchAllResources', true],
      ['cloudasset.googleapis.com', true],
    ]);
  });

  test('a missing permission is not granted', async () => {
    google.permissions.delete('cloudasset.assets.searchAllResources');

    const checks = await openGcp(google).checkPermissions(never);

    expect(checks.map(({ name, granted }) => [name, granted])).toEqual([
      ['resourcemanager.projects.get', true],
      ['cloudasset.assets.searchAllResources', false],
      ['cloudasset.googleapis.com', true],
    ]);
  });

  test('an API that is off is not granted', async () => {
    google.enabled_apis.delete('cloudasset');

    const checks = await openGcp(google).checkPermissions(never);

    expect(checks.at(-1)).toMatchObject({ name: 'cloudasset.googleapis.com', granted: false });
  });

  test('a session makes only declared calls', async () => {
    google.resources = [bucket('one')];
    for (const credentials of [useKey(google), federated(google)]) {
      const session = openGcp(google, { credentials });
      await session.identify(never);
      await session.checkPermissions(never);
      await readAll(session);
    }

    const declared = connectGcp(google).calls.map(({ service, operation }) => `${service} ${operation}`);
    expect([...new Set(google.calls)].sort()).toEqual(declared.sort());
  });

  test('a closed session makes no call', async () => {
    const session = openGcp(google);
    session.close();

    await expect(session.identify(never)).rejects.toThrow(/abort/i);
    expect(google.calls).toEqual([]);
  });
});

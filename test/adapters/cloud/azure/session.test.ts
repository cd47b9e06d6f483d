import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AZURE_CLOUDS } from '../../../../server/adapters/cloud/azure/index.ts';
import type { SignToken } from '../../../../server/adapters/cloud/types.ts';
import { armError, entraError } from '../../../fakes/cloud/azure/errors.ts';
import { type FakeAzure, SUBSCRIPTION_ID, startAzure, TENANT_ID } from '../../../fakes/cloud/azure/index.ts';
import { findFault, never, readAll } from '../reading.ts';
import { connectAzure, federated, openAzure, signTokens, storage, useSecret } from './setup.ts';

let azure: FakeAzure;
beforeEach(async () => {
  azure = await startAzure();
});
afterEach(() => azure.close());

const TOKEN = 'login token';

describe('identity', () => {
  test.each(['secret', 'federated'] as const)('an application opens its subscription (%s)', async (kind) => {
    const credentials = kind === 'secret' ? useSecret(azure) : federated(azure);

    const identity = await openAzure(azure, { credentials }).identify(never);

    expect(identity).toEqual({ identity: azure.application.client_id, external_account_id: SUBSCRIPTION_ID });
    expect(azure.calls).toEqual([TOKEN, 'management subscriptions.get']);
  });

  test('a subscription of another tenant is a credential error', async () => {
    azure.subscription.tenant_id = '00000000-0000-4000-8000-000000000009';

    const fault = await findFault(openAzure(azure).identify(never));

    expect(fault).toMatchObject({ code: 'credential_error', message: expect.stringMatching(/another tenant/) });
  });

  test('a subscription that another tenant lets the application manage is opened', async () => {
    azure.subscription.tenant_id = '00000000-0000-4000-8000-000000000009';
    azure.subscription.managing_tenants = [TENANT_ID.toUpperCase(), TENANT_ID];

    await expect(openAzure(azure).identify(never)).resolves.toMatchObject({ external_account_id: SUBSCRIPTION_ID });
  });

  test('a response that names another tenant is a credential error', async () => {
    const body = { subscriptionId: SUBSCRIPTION_ID, tenantId: '00000000-0000-4000-8000-000000000009' };
    azure.troubles.push({ operation: 'management subscriptions.get', how: { status: 200, body } });

    await expect(findFault(openAzure(azure).identify(never))).resolves.toMatchObject({ code: 'credential_error' });
  });

  test('a subscription without a role for the application is denied', async () => {
    azure.roles = [];

    const fault = await findFault(openAzure(azure).identify(never));

    expect(fault).toMatchObject({ code: 'access_denied', permission: 'Microsoft.Resources/subscriptions/read' });
    expect(fault.message).toMatch(/grant Reader/);
  });

  test.each([
    ['DisabledSubscription', 409, 'access_denied', /disabled/],
    ['ExpiredAuthenticationToken', 401, 'credential_error', /rejects the credential/],
    ['InvalidSubscriptionId', 400, 'access_denied', /Check the subscription ID/],
    ['InternalServerError', 500, 'internal', /later/],
  ] as const)('%s is reported', async (code, status, expected, message) => {
    const how = armError(status, code, 'canary text');
    azure.troubles.push({ operation: 'management subscriptions.get', how, times: 9 });

    const fault = await findFault(openAzure(azure).identify(never));

    expect(fault.code).toBe(expected);
    expect(fault.message).toMatch(message);
  });

  test('a credential of another cloud is a credential error', async () => {
    const credentials = { credential_type: 'aws_web_identity', role_arn: 'arn:aws:iam::123456789012:role/x' } as const;

    await expect(findFault(openAzure(azure, { credentials }).identify(never))).resolves.toMatchObject({
      code: 'credential_error',
    });
  });

  test('a response with a byte order mark is read', async () => {
    const text = `\uFEFF${JSON.stringify({ subscriptionId: SUBSCRIPTION_ID, tenantId: TENANT_ID })}`;
    azure.troubles.push({ operation: 'management subscriptions.get', how: { status: 200, text } });

    await expect(openAzure(azure).identify(never)).resolves.toMatchObject({ external_account_id: SUBSCRIPTION_ID });
  });

  test.each(['us_government', 'china'] as const)('the sovereign cloud %s has its own addresses', async (cloud) => {
    const urls: string[] = [];
    const fetch = async (url: string) => {
      urls.push(url);
      return Response.json(url.includes('/token') ? { access_token: 'token', expires_in: 3599 } : {}, { status: 200 });
    };

    await findFault(openAzure(azure, { cloud, endpoints: {}, fetch }).identify(never));

    expect(urls.map((url) => new URL(url).origin)).toEqual([AZURE_CLOUDS[cloud].login, AZURE_CLOUDS[cloud].management]);
  });
});

describe('rejected credentials', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'a wrong secret',
      () => Object.assign(azure.application, { client_secret: 'rotated' }),
      /value of the secret, not its ID/,
    ],
    ['an expired secret', () => Object.assign(azure.application, { secret_expired: true }), /has expired/],
    ['an unknown application', () => Object.assign(azure.application, { client_id: 'gone' }), /no such application/],
    ['an unknown tenant', () => Object.assign(azure, { tenant_id: 'gone' }), /tenant does not exist/],
  ])('%s is reported with what to do', async (_what, change, message) => {
    const session = openAzure(azure);
    change();

    const fault = await findFault(session.identify(never));

    expect(fault).toMatchObject({ code: 'credential_error', service: 'login' });
    expect(fault.message).toMatch(message);
  });

  test('a federated token that is not signed with RS256 is reported with the setting that is wrong', async () => {
    const sign = signTokens(azure);
    const signToken: SignToken = ({ subject, audience }) => sign({ subject, audience });

    const fault = await findFault(openAzure(azure, { credentials: federated(azure), signToken }).identify(never));

    expect(fault).toMatchObject({ code: 'credential_error', message: expect.stringContaining('only RS256') });
  });

  test.each<[string, () => Parameters<typeof signTokens>[1], RegExp]>([
    [
      'a clock that is behind',
      () => ({ now: () => new Date(Date.now() - 3_600_000) }),
      /clock of this server is wrong/,
    ],
    ['a clock that is ahead', () => ({ now: () => new Date(Date.now() + 3_600_000) }), /clock of this server is wrong/],
    ['another issuer', () => ({ issuer: 'https://other.example.com' }), /Compare issuer, subject and audience/],
  ])('a federated token from %s is reported', async (_what, changes, message) => {
    const options = { credentials: federated(azure), signToken: signTokens(azure, changes()) };

    const fault = await findFault(openAzure(azure, options).identify(never));

    expect(fault.code).toBe('credential_error');
    expect(fault.message).toMatch(message);
  });

  test('a subject without a federated credential is reported', async () => {
    const session = openAzure(azure, { credentials: federated(azure) });
    azure.application.federated.subject = 'deployment:test:org:2';

    await expect(findFault(session.identify(never))).resolves.toMatchObject({
      code: 'credential_error',
      message: expect.stringMatching(/no federated credential that matches/),
    });
  });

  test('a failure of Microsoft Entra ID is not a rejected credential', async () => {
    const how = entraError('temporarily_unavailable', 90033, 'A transient error has occurred.', 400);
    azure.troubles.push({ operation: TOKEN, how, times: 9 });

    await expect(findFault(openAzure(azure).identify(never))).resolves.toMatchObject({
      code: 'internal',
      retryable: true,
    });
  });

  test('an unknown code is named by its number only', async () => {
    azure.troubles.push({ operation: TOKEN, how: entraError('invalid_client', 7000999, 'canary text') });

    const fault = await findFault(openAzure(azure).identify(never));

    expect(fault.message).toContain('(AADSTS7000999)');
  });

  test('the HTML of a proxy instead of a token is a parse error', async () => {
    azure.troubles.push({ operation: TOKEN, how: { status: 200, text: '<html></html>' } });

    await expect(findFault(openAzure(azure).identify(never))).resolves.toMatchObject({ code: 'parse_error' });
  });

  test('an application that was disabled in the middle of a scan is a credential error', async () => {
    azure.tables['resources'] = [storage('one')];
    const session = openAzure(azure);
    await readAll(session);
    azure.revoke(true);

    await expect(findFault(readAll(session))).resolves.toMatchObject({ code: 'credential_error' });
  });
});

describe('permissions', () => {
  const listGranted = async () => {
    const checks = await openAzure(azure).checkPermissions(never);
    return checks.map(({ name, granted }) => `${name} ${granted}`);
  };

  test('Reader grants every declared permission', async () => {
    await expect(listGranted()).resolves.toEqual([
      'Microsoft.Resources/subscriptions/read true',
      'Microsoft.Authorization/permissions/read true',
      '*/read true',
    ]);
  });

  test('a narrow role does not grant to read everything', async () => {
    azure.roles = [
      { actions: ['Microsoft.Authorization/*/read', 'Microsoft.Authorization/permissions/read'], notActions: [] },
      { actions: ['microsoft.resources/subscriptions/READ'], notActions: [] },
    ];

    await expect(listGranted()).resolves.toEqual([
      'Microsoft.Resources/subscriptions/read true',
      'Microsoft.Authorization/permissions/read true',
      '*/read false',
    ]);
  });

  test('a session makes only declared calls', async () => {
    for (const credentials of [useSecret(azure), federated(azure)]) {
      const session = openAzure(azure, { credentials });
      await session.identify(never);
      await session.checkPermissions(never);
      await readAll(session);
    }

    const declared = connectAzure(azure).calls.map(({ service, operation }) => `${service} ${operation}`);
    expect([...new Set(azure.calls)].sort()).toEqual(declared.sort());
  });

  test('a closed session makes no call', async () => {
    const session = openAzure(azure);
    session.close();

    await expect(session.identify(never)).rejects.toThrow(/abort/i);
    expect(azure.calls).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAzureTokenSource } from '../../../server/adapters/cloud/azure/index.ts';
import { createGcpTokenSource } from '../../../server/adapters/cloud/gcp/index.ts';
import { createGuardedFetch } from '../../../server/adapters/egress/index.ts';
import { type FakeAzure, startAzure } from '../../fakes/cloud/azure/index.ts';
import { type FakeGoogle, startGoogle } from '../../fakes/cloud/gcp/index.ts';
import * as azure from './azure/setup.ts';
import * as gcp from './gcp/setup.ts';
import { findFault, never } from './reading.ts';

let google: FakeGoogle;
let fake: FakeAzure;
beforeAll(async () => {
  [google, fake] = await Promise.all([startGoogle(), startAzure()]);
});
afterAll(() => Promise.all([google.close(), fake.close()]));

const connect = (url: string) => createGuardedFetch({ allowed_hosts: [new URL(url).host] });
const SCOPE = 'https://management.azure.com/.default';

test.each(['key', 'federated'] as const)('a Google token is issued for other adapters (%s)', async (kind) => {
  const credentials = kind === 'key' ? gcp.useKey(google) : gcp.federated(google);
  const deps = { fetch: connect(google.url), endpoints: google.endpoints, signToken: gcp.signTokens(google) };
  const access = { credentials, token_subject: google.pool.subject };

  const token = await createGcpTokenSource(deps)(
    access,
    ['https://www.googleapis.com/auth/devstorage.read_only'],
    never,
  );

  expect(google.isGranted(`Bearer ${token.value}`)).toBe(true);
  expect(token.expires_at.getTime()).toBeGreaterThan(Date.now());
});

test('an Azure token is issued for other adapters', async () => {
  const deps = { fetch: connect(fake.url), endpoints: fake.endpoints, signToken: azure.signTokens(fake) };
  const access = { credentials: azure.useSecret(fake), token_subject: 'unused' };

  const token = await createAzureTokenSource(deps)(access, SCOPE, never);

  expect(fake.isGranted(`Bearer ${token.value}`)).toBe(true);
});

test('the subject of federated tokens is the one of the account', async () => {
  const deps = { fetch: connect(fake.url), endpoints: fake.endpoints, signToken: azure.signTokens(fake) };
  const access = { credentials: azure.federated(fake), token_subject: 'deployment:test:org:2' };

  const fault = await findFault(createAzureTokenSource(deps)(access, SCOPE, never));

  expect(fault.code).toBe('credential_error');
});

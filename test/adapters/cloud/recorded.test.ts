import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { toAzureResource, toGoogleResource } from '../../../engine/inventory/index.ts';
import type { CloudSession } from '../../../server/adapters/cloud/types.ts';
import { type FakeAzure, startAzure } from '../../fakes/cloud/azure/index.ts';
import { type FakeGoogle, startGoogle } from '../../fakes/cloud/gcp/index.ts';
import type { RestServer } from '../../fakes/cloud/rest-server.ts';
import { createVirtualTime } from '../../fakes/cloud/virtual-time.ts';
import { openAzure, storage } from './azure/setup.ts';
import { federated, openGcp } from './gcp/setup.ts';
import { findFault, never, readAll } from './reading.ts';

interface Recorded {
  name: string;
  operation: string;
  status: number;
  body: unknown;
  expected: { code: string; permission: string | null; text: string };
}

const read = (cloud: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/cloud/${cloud}.json`, import.meta.url), 'utf8'));
const gcp = read('gcp');
const azure = read('azure');

/** The call of a session that makes this operation. */
function attempt(session: CloudSession, operation: string): Promise<unknown> {
  return /searchAllResources|resourcegraph/.test(operation) ? readAll(session) : session.identify(never);
}

async function expectFault(server: RestServer, session: CloudSession, recorded: Recorded): Promise<void> {
  const { operation, status, body, expected } = recorded;
  server.troubles.push({ operation, how: { status, body }, times: 99 });

  const { code, permission, message } = await findFault(attempt(session, operation));

  expect({ code, permission }).toEqual({ code: expected.code, permission: expected.permission });
  expect(message).toContain(expected.text);
}

describe('Google Cloud', () => {
  let google: FakeGoogle;
  beforeEach(async () => {
    google = await startGoogle();
  });
  afterEach(() => google.close());

  test.each<[string, Recorded]>(gcp.refusals.map((one: Recorded) => [one.name, one]))('%s', async (_name, recorded) => {
    const needs_federation = /^(sts|iamcredentials)/.test(recorded.operation);
    const session = openGcp(google, needs_federation ? { credentials: federated(google) } : {});

    await expectFault(google, session, recorded);
  });

  test('a federated token is accepted', async () => {
    google.troubles.push({ operation: 'sts token', how: { status: 200, body: gcp.federated_token.body } });

    const fault = await findFault(openGcp(google, { credentials: federated(google) }).identify(never));

    // The fake does not know the recorded token, so that only the next step fails.
    expect(fault.permission).toBe('iam.serviceAccounts.getAccessToken');
  });

  test('a service account key has the name with its email as an alias', () => {
    const found = toGoogleResource(gcp.rows[0].row, 'test-project');

    expect(found).toEqual({
      provider_resource_id:
        '//iam.googleapis.com/projects/test-project/serviceAccounts/123456789/keys/1d0b9d0d4641b4a1c09ce1ccc8b07045',
      provider_type: 'iam.googleapis.com/ServiceAccountKey',
      region: null,
      name: '1d0b9d0d4641b4a1c09ce1ccc8b07045',
      tags: {},
      aliases: [
        'projects/test-project/serviceAccounts/123456789/keys/1d0b9d0d4641b4a1c09ce1ccc8b07045',
        'projects/test-project/serviceAccounts/test-service-account@test-project.iam.gserviceaccount.com/keys/1d0b9d0d4641b4a1c09ce1ccc8b07045',
      ],
      properties: expect.objectContaining({ keyAlgorithm: 'KEY_ALG_RSA_2048', keyType: 'USER_MANAGED' }),
    });
  });

  test('an instance is in the region of its zone', () => {
    const found = toGoogleResource(gcp.rows[1].row, 'my-project');

    expect(found).toMatchObject({
      region: 'us-central1',
      name: 'web-0',
      aliases: ['projects/my-project/zones/us-central1-a/instances/web-0'],
    });
  });

  test('a result with few members is read', () => {
    const found = toGoogleResource(gcp.rows[3].row, 'p1');

    expect(found).toMatchObject({
      provider_resource_id: '//compute.googleapis.com/projects/p1/zones/z1/disks/d1',
      provider_type: 'compute.googleapis.com/Disk',
      tags: {},
      name: 'd1',
    });
  });

  test('a bucket has its name as an alias', () => {
    const found = toGoogleResource(gcp.rows[2].row, 'my-project');

    expect(found).toMatchObject({ region: 'us', name: 'data-archive', aliases: ['data-archive'] });
  });
});

describe('Azure', () => {
  let fake: FakeAzure;
  beforeEach(async () => {
    fake = await startAzure();
  });
  afterEach(() => fake.close());

  test.each<[string, Recorded]>(azure.refusals.map((one: Recorded) => [one.name, one]))(
    '%s',
    async (_name, recorded) => {
      await expectFault(fake, openAzure(fake), recorded);
    },
  );

  test('a subscription is identified', async () => {
    const { body } = azure.subscription;
    fake.troubles.push({ operation: 'management subscriptions.get', how: { status: 200, body } });
    fake.tenant_id = body.tenantId;
    const { client_id, client_secret } = fake.application;
    const tenant = { tenant_id: body.tenantId, client_id, client_secret };

    const session = openAzure(fake, { credentials: { credential_type: 'azure_client_secret', ...tenant } });

    await expect(session.identify(never)).resolves.toMatchObject({ external_account_id: body.subscriptionId });
  });

  test('a page after a rejected skip token is the first page again', async () => {
    const [part] = (await openAzure(fake).outline(never)).parts;
    fake.troubles.push({ operation: 'resourcegraph resources', how: azure.rejected_skip_token });

    const page = await openAzure(fake).readPage(part!, '0:old', never);

    expect([page.restarted, page.next_cursor]).toEqual([true, null]);
  });

  test('a query that is throttled is sent again when the quota is reset', async () => {
    const { status, headers, body } = azure.throttled_with_headers;
    fake.tables.resources!.push(storage('shop'));
    fake.troubles.push({ operation: 'resourcegraph resources', how: { status, headers, body } });
    const waits: number[] = [];
    const time = createVirtualTime();
    const sleep = async (ms: number, signal: AbortSignal) => {
      waits.push(ms);
      await time.sleep(ms, signal);
    };
    const session = openAzure(fake, { throttle: { ...time, sleep }, quota: { ...time, sleep } });
    const [part] = (await session.outline(never)).parts;

    expect((await session.readPage(part!, null, never)).resources).toHaveLength(1);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(5_000);
  });

  test('a page with a token has a next page, although it is not truncated', async () => {
    const [part] = (await openAzure(fake).outline(never)).parts;
    fake.troubles.push({
      operation: 'resourcegraph resources',
      how: { status: 200, body: azure.page_with_token.body },
    });

    const page = await openAzure(fake).readPage(part!, null, never);

    expect(page.next_cursor).toContain('some value');
    expect([page.resources.length, page.faults]).toEqual([1, []]);
  });

  test('a page that is cut without a token is truncated', async () => {
    const [part] = (await openAzure(fake).outline(never)).parts;
    fake.troubles.push({ operation: 'resourcegraph resources', how: { status: 200, body: azure.truncated_page.body } });

    const page = await openAzure(fake).readPage(part!, null, never);

    expect(page.resources.map(({ name, region }) => [name, region])).toEqual([['veryscaryvm2-nsg', 'eastus']]);
    expect(page.faults.map(({ code }) => code)).toEqual(['truncated']);
  });

  test('an ID is compared in lowercase, and kept as it is', () => {
    const { body } = azure.disk_row;

    expect(toAzureResource(body)).toEqual({
      provider_resource_id: body.id.toLowerCase(),
      provider_type: 'microsoft.automation/automationaccounts/runbooks',
      region: 'westcentralus',
      name: 'TestRB',
      tags: {},
      aliases: [body.id],
      properties: { location: 'westcentralus' },
    });
  });
});

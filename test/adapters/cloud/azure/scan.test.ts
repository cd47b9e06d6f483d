import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ScanPart } from '../../../../server/adapters/cloud/types.ts';
import { armError, graphError, notAuthorized, RATE_LIMITED } from '../../../fakes/cloud/azure/errors.ts';
import { type FakeAzure, SUBSCRIPTION_ID, startAzure } from '../../../fakes/cloud/azure/index.ts';
import { HTML_PAGE, type RestReply } from '../../../fakes/cloud/rest-server.ts';
import { createVirtualTime } from '../../../fakes/cloud/virtual-time.ts';
import { findFault, never, readAll, readPart } from '../reading.ts';
import { openAzure, storage, storages } from './setup.ts';

const QUERY = 'resourcegraph resources';
const PART: ScanPart = {
  key: 'resourcegraph/resources',
  service: 'resourcegraph',
  region: null,
  provider_type: null,
};

let azure: FakeAzure;
beforeEach(async () => {
  azure = await startAzure();
});
afterEach(() => azure.close());

const countQueries = () => azure.calls.filter((call) => call === QUERY).length;
const failWith = (how: RestReply) => azure.troubles.push({ operation: QUERY, how, times: 99 });

describe('pages', () => {
  test('a scan reads every resource once, 1,000 in a page', async () => {
    azure.tables['resources'] = storages(2_101);

    const { resources, faults, page_count } = await readPart(openAzure(azure), PART);

    expect(new Set(resources.map((one) => one.provider_resource_id)).size).toBe(2_101);
    expect([resources.length, page_count, countQueries(), faults]).toEqual([2_101, 3, 3, []]);
  });

  test('every table is one part', async () => {
    const group = `/subscriptions/${SUBSCRIPTION_ID}/resourceGroups/RG-Shop`;
    const definition = `/subscriptions/${SUBSCRIPTION_ID}/providers/Microsoft.Authorization/RoleDefinitions`;
    azure.tables = {
      resources: [storage('one')],
      resourcecontainers: [
        {
          id: group,
          name: 'RG-Shop',
          type: 'microsoft.resources/subscriptions/resourcegroups',
          location: 'westeurope',
        },
        { id: `/subscriptions/${SUBSCRIPTION_ID}`, name: 'Shop', type: 'microsoft.resources/subscriptions' },
      ],
      authorizationresources: [
        { id: `${group}/r/1`, name: '1', type: 'microsoft.authorization/roleassignments' },
        { id: `${definition}/1`, type: 'microsoft.authorization/roledefinitions', properties: { type: 'BuiltInRole' } },
        { id: `${definition}/2`, type: 'microsoft.authorization/roledefinitions', properties: { type: 'CustomRole' } },
      ],
      policyresources: [
        { id: `${group}/p/1`, type: 'microsoft.authorization/policyassignments' },
        { id: `${group}/p/2`, type: 'microsoft.authorization/policydefinitions' },
      ],
      dnsresources: [{ id: `${group}/d/1`, type: 'microsoft.network/dnszones/a' }],
    };

    const { resources, faults } = await readAll(openAzure(azure));

    expect(faults).toEqual([]);
    expect(resources.map((one) => one.provider_type).sort()).toEqual([
      'microsoft.authorization/policyassignments',
      'microsoft.authorization/roleassignments',
      'microsoft.authorization/roledefinitions',
      'microsoft.network/dnszones/a',
      'microsoft.resources/subscriptions/resourcegroups',
      'microsoft.storage/storageaccounts',
    ]);
  });

  test('a table that this cloud does not have is an unsupported type', async () => {
    delete azure.tables['dnsresources'];

    const fault = await findFault(readPart(openAzure(azure), { ...PART, key: 'resourcegraph/dnsresources' }));

    expect(fault.code).toBe('unsupported_type');
  });

  test('a result that is cut without a token is truncated', async () => {
    azure.tables['resources'] = storages(1_001);
    azure.cuts_results = true;

    const { resources, faults } = await readPart(openAzure(azure), PART);

    expect(resources).toHaveLength(1_000);
    expect(faults).toEqual([expect.objectContaining({ code: 'truncated', retryable: true })]);
  });

  test('a part whose skip token is rejected is read again from its start', async () => {
    azure.tables['resources'] = storages(2_500);
    let expired = false;
    const expireOnce = () => {
      if (!expired) azure.token_generation += 1;
      expired = true;
    };

    const { resources, faults, restart_count } = await readPart(openAzure(azure), PART, expireOnce);

    expect(new Set(resources.map((one) => one.provider_resource_id)).size).toBe(2_500);
    expect([restart_count, faults]).toEqual([1, []]);
  });

  test('a cursor stays valid in another session', async () => {
    azure.tables['resources'] = storages(1_001);
    const { next_cursor } = await openAzure(azure).readPage(PART, null, never);

    const page = await openAzure(azure).readPage(PART, next_cursor, never);

    expect(page.resources.map(({ name }) => name)).toEqual(['shop001000']);
    expect(page.next_cursor).toBeNull();
  });

  test('a part of another version is an unsupported type', async () => {
    await expect(
      findFault(openAzure(azure).readPage({ ...PART, key: 'resourcegraph/old' }, null, never)),
    ).resolves.toMatchObject({
      code: 'unsupported_type',
    });
  });

  test('rows without an ID are counted, and the others are read', async () => {
    failWith({ status: 200, body: { data: [storage('one'), { id: 'x' }, { id: '/x' }, 7] } });

    const { resources, faults } = await readPart(openAzure(azure), PART);

    expect(resources).toHaveLength(1);
    expect(faults).toEqual([expect.objectContaining({ code: 'parse_error', message: expect.stringMatching(/^3 /) })]);
  });

  test('only chosen regions are read, and what is global', async () => {
    azure.tables['resources'] = [
      storage('here'),
      storage('display', { location: 'West Europe' }),
      storage('there', { location: 'northeurope' }),
      storage('global', { location: 'global' }),
      storage('none', { location: null }),
    ];

    const { resources } = await readPart(openAzure(azure, { regions: ['westeurope'] }), PART);

    expect(resources.map(({ name, region }) => `${name} ${region}`).sort()).toEqual([
      'display westeurope',
      'global null',
      'here westeurope',
      'none null',
    ]);
  });
});

describe('what Resource Graph leaves out', () => {
  test('an application without Reader gets a fault instead of a silent gap', async () => {
    azure.tables['resources'] = storages(3);
    azure.roles = [
      { actions: ['Microsoft.Compute/*/read', 'Microsoft.Authorization/permissions/read'], notActions: [] },
    ];

    const { resources, faults } = await readPart(openAzure(azure), PART);

    expect(resources).toEqual([]);
    expect(faults).toEqual([expect.objectContaining({ code: 'access_denied', permission: '*/read' })]);
  });

  test('an application that may not list its permissions gets the same fault', async () => {
    azure.roles = [{ actions: ['Microsoft.Compute/*/read'], notActions: [] }];

    const { faults } = await readPart(openAzure(azure), PART);

    expect(faults).toEqual([expect.objectContaining({ code: 'access_denied', permission: '*/read' })]);
  });

  test('permissions are listed once for all parts of a scan', async () => {
    await readAll(openAzure(azure));

    expect(azure.calls.filter((call) => call === 'management permissions.list')).toHaveLength(1);
  });
});

describe('throttling', () => {
  test('queries wait for the quota before they are rejected', async () => {
    azure.tables['resources'] = storages(4_001);
    azure.quota_remaining = 2;
    const time = createVirtualTime();
    const refill = {
      clock_ms: time.clock_ms,
      sleep: async (ms: number) => {
        azure.quota_remaining = 2;
        await time.sleep(ms);
      },
    };

    const { resources } = await readPart(openAzure(azure, { quota: refill }), PART);

    expect(resources).toHaveLength(4_001);
    expect(countQueries()).toBe(5);
    expect(time.clock_ms()).toBeGreaterThanOrEqual(10_000);
  });

  test('a rejected query waits until the quota is reset', async () => {
    azure.tables['resources'] = storages(1);
    azure.troubles.push({ operation: QUERY, how: RATE_LIMITED });
    const throttle = createVirtualTime();

    const { resources } = await readPart(openAzure(azure, { throttle }), PART);

    expect([resources.length, countQueries()]).toEqual([1, 2]);
    expect(throttle.clock_ms()).toBeGreaterThanOrEqual(5_000);
  });

  test('the header Retry-After of Resource Manager sets the wait', async () => {
    const how = { ...armError(429, 'TooManyRequests', 'x'), headers: { 'retry-after': '17' } };
    azure.troubles.push({ operation: 'management subscriptions.get', how });
    const throttle = createVirtualTime();

    await openAzure(azure, { throttle }).identify(never);

    expect(throttle.clock_ms()).toBeGreaterThanOrEqual(17_000);
  });

  test('a cloud that throttles for good is reported', async () => {
    failWith(RATE_LIMITED);

    await expect(findFault(readPart(openAzure(azure), PART))).resolves.toMatchObject({
      code: 'throttled',
      retryable: true,
    });
  });
});

describe('refusals', () => {
  test.each<[string, RestReply, string, RegExp]>([
    ['a missing action', notAuthorized('Microsoft.ResourceGraph/resources/read', '/x'), 'access_denied', /Reader/],
    ['a denied query', graphError(403, 'Forbidden', { code: 'AccessDenied', message: 'x' }), 'access_denied', /Reader/],
    [
      'a bad query',
      graphError(400, 'BadRequest', { code: 'InvalidQuery', message: 'canary' }),
      'internal',
      /report it/,
    ],
    ['a failure of Azure', armError(503, 'ServiceUnavailable', 'canary'), 'internal', /Scan again later/],
    ['a timeout of Azure', armError(504, 'GatewayTimeout', 'canary'), 'timeout', /Scan again later/],
    ['the HTML of a proxy', HTML_PAGE, 'parse_error', /proxy/],
    ['rows in another format', { status: 200, body: { data: { columns: [], rows: [] } } }, 'parse_error', /be read/],
    ['a truncated document', { status: 200, text: '{"data":[{"id":"/sub' }, 'parse_error', /be read/],
  ])('%s is reported', async (_what, how, code, message) => {
    failWith(how);

    const fault = await findFault(readPart(openAzure(azure), PART));

    expect(fault).toMatchObject({ code, service: 'resourcegraph' });
    expect(fault.message).toMatch(message);
  });

  test('the action that Azure names is the missing permission', async () => {
    failWith(notAuthorized('Microsoft.ResourceGraph/resources/read', '/x'));

    const fault = await findFault(readPart(openAzure(azure), PART));

    expect(fault.permission).toBe('Microsoft.ResourceGraph/resources/read');
  });

  test('a cloud that never responds is a timeout', async () => {
    azure.troubles.push({ operation: QUERY, how: 'hang', times: 9 });

    const fault = await findFault(readPart(openAzure(azure, { timeout_ms: 40 }), PART));

    expect(fault).toMatchObject({ code: 'timeout', retryable: true });
  });
});

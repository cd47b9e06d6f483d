import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, DpaError, DpaUsageError } from '../../sdk/src/index.ts';
import { withoutVariables } from '../helpers/environment.ts';
import { failure, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const ORG = '019b7a10-0000-7000-8000-000000000003';
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
withoutVariables(['DPA_URL', 'DPA_TOKEN', 'DPA_ORG']);

const catchThrown = (base_url: string): unknown => {
  try {
    return createClient({ base_url });
  } catch (error) {
    return error;
  }
};

describe('base_url', () => {
  test.each([
    ['', /base_url is empty; use an address such as https:\/\/dpa\.example\.com/],
    ['   ', /base_url is empty/],
    ['dpa.example.com', /has no scheme; put https:\/\/ before the host/],
    ['localhost:8080', /has no scheme/],
    ['/api', /has no scheme/],
    ['https://', /is not a URL/],
    ['ftp://dpa.example.com', /has the scheme ftp; use https or http/],
    ['https://ada:hunter2@dpa.example.com', /contains a user name or password; .* pass the credential as token/],
    ['https://hunter2@dpa.example.com', /contains a user name/],
    ['https://dpa.example.com?key=hunter2', /has a query or a fragment/],
    ['https://dpa.example.com/#x', /has a query or a fragment/],
    ['https://dpa.example.com/api/v2/', /ends in \/api\/v2; remove it/],
  ])('%p is rejected with advice', (base_url, message) => {
    const error = catchThrown(base_url);

    expect(error).toBeInstanceOf(DpaUsageError);
    expect(error).toBeInstanceOf(DpaError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('hunter2');
  });

  test('can contain the path prefix of a proxy, with or without a trailing slash', async () => {
    for (const base_url of [`${server.url}/dpa`, `${server.url}/dpa//`]) {
      server.play({ body: {} });
      await createClient({ base_url }).me.get();
      expect(server.received[0]?.url).toBe('/dpa/api/v2/me');
    }
  });
});

describe('the environment', () => {
  test('provides service, credential and organization', async () => {
    Object.assign(process.env, { DPA_URL: server.url, DPA_TOKEN: 'dpa_env', DPA_ORG: ORG });
    server.play({ body: {} });

    await createClient().orgs.get();

    expect(server.received[0]).toMatchObject({ url: `/api/v2/orgs/${ORG}`, headers: { 'x-api-key': 'dpa_env' } });
  });

  test('is overridden by options', async () => {
    Object.assign(process.env, { DPA_URL: 'http://127.0.0.1:1', DPA_TOKEN: 'dpa_env', DPA_ORG: ORG });
    server.play({ body: {} });

    await createClient({ base_url: server.url, token: 'dpa_given', org: ORG.replace('3', '4') }).orgs.get();
    await createClient({ base_url: server.url, token: null }).orgs.get({ org_id: 'other' });

    expect(server.received[0]).toMatchObject({
      url: `/api/v2/orgs/${ORG.replace('3', '4')}`,
      headers: { 'x-api-key': 'dpa_given' },
    });
    expect(server.received[1]?.url).toBe('/api/v2/orgs/other');
    expect(server.received[1]?.headers).not.toHaveProperty('x-api-key');
  });

  test('without an address is an error that names the variable', () => {
    process.env['DPA_URL'] = '';

    expect(() => createClient()).toThrow(/no service selected: pass base_url, such as .*, or set DPA_URL/);
  });
});

describe('the default organization of a client', () => {
  const me = (...slugs: string[]) => ({
    body: { memberships: slugs.map((org_slug) => ({ org_slug, org_id: `id-of-${org_slug}` })) },
  });
  const client = (org?: string) =>
    createClient({ base_url: server.url, token: 'dpa_k', retries: 0, ...(org === undefined ? {} : { org }) });

  test('is looked up once by its slug', async () => {
    server.play(me('other', 'acme'), { body: {} });
    const dpa = client('acme');

    await dpa.orgs.get();
    await dpa.orgs.getLimits();

    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v2/me',
      '/api/v2/orgs/id-of-acme',
      '/api/v2/orgs/id-of-acme/limits',
    ]);
  });

  test('is looked up again after a failed lookup', async () => {
    server.play(failure(500, 'internal'), me('acme'), { body: {} });
    const dpa = client('acme');

    await expect(dpa.orgs.get()).rejects.toMatchObject({ status: 500 });
    await dpa.orgs.get();

    expect(server.received.at(-1)?.url).toBe('/api/v2/orgs/id-of-acme');
  });

  test('is rejected, with a list of available ones, if the caller is not a member', async () => {
    server.play(me('acme', 'blue'));

    await expect(client('red').orgs.get()).rejects.toThrow(/is not a member of the organization "red".*: acme, blue$/);
  });

  test.each([
    ['a method', () => client().orgs.get()],
    ['an analysis', () => client().analyze({ plan: '{}' })],
    ['a wait', () => client().waitForJob({ job_id: 'j' })],
  ])('is required if %s does not pass one', async (_what, call) => {
    server.play({ body: {} });

    await expect(call()).rejects.toThrow(/no organization selected: pass org_id, or set org or DPA_ORG/);
    expect(server.received).toEqual([]);
  });
});

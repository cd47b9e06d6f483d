import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { OPERATIONS as KNOWN } from '../../sdk/src/generated/operations.ts';
import { type Client, createClient, DpaApiError, isApiError, type OperationId } from '../../sdk/src/index.ts';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import type { Answer, Caller } from '../helpers/service.ts';
import { callValid, type Person, type ServiceFixtures, startFixtures } from './fixtures.ts';
import { OPERATIONS, type Operation } from './operations.ts';

let fixtures: ServiceFixtures;
const clients = new Map<Person, Client>();
/** An organization whose analyses call no model. */
let org_id: string;
beforeAll(async () => {
  fixtures = await startFixtures();
  for (const name of ['owner', 'root'] as const)
    clients.set(name, createClient({ base_url: fixtures.service.url, token: await signToken(name) }));
  org_id = (await clients.get('owner')!.call('createOrg', { body: { slug: 'sdk', display_name: 'SDK' } })).id;
});
afterAll(() => fixtures.service.close());

const signToken = (name: Person) =>
  signDevToken({ data_dir: fixtures.service.data_dir, email: `${name}@example.com`, name, production: false });

type AnyCall = (
  operation: OperationId,
  params: object,
) => Promise<{ status: number; headers: Headers; body: unknown; request_id: string }>;

/** Sends the request of a recipe through the SDK. */
function throughSdk(client: Client, { id, path }: Operation): Caller {
  const request = client.request as AnyCall;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const form = new RegExp(`^/api/v2${path.replace(/\{\w+\}/g, '([^/]+)')}$`);
  const send = async (_method: string, url: string, body?: unknown): Promise<Answer> => {
    const [bare = '', search = ''] = url.split('?');
    const values = form.exec(bare)?.slice(1) ?? [];
    const query = Object.fromEntries(new URLSearchParams(search));
    const params = { path: Object.fromEntries(names.map((name, i) => [name, values[i]])), query, body };
    try {
      return await request(id as OperationId, params);
    } catch (error) {
      if (!(error instanceof DpaApiError)) throw error;
      return { status: error.status, headers: new Headers(), body: error.body };
    }
  };
  return { send, get: (url) => send('GET', url), post: (url, body) => send('POST', url, body) };
}

test('the SDK has exactly the operations of the contract', () => {
  const described = OPERATIONS.map(({ id, method, path }) => [id, { method, path }]);

  expect(KNOWN).toMatchObject(Object.fromEntries(described));
  expect(Object.keys(KNOWN)).toHaveLength(OPERATIONS.length);
});

test.each(OPERATIONS.map((one) => [one.id, one] as const))(
  'the response of %s matches its declaration',
  async (_id, operation) => {
    const person = operation.access.platform_admin === 'required' ? 'root' : 'owner';
    const caller = throughSdk(clients.get(person)!, operation);

    const { answer, recipe } = await callValid(fixtures, operation, { caller, recipe_for: person });

    const { status, body } = answer;
    expect({ status: recipe.status === undefined ? Math.floor(status / 100) : status, body }).toMatchObject({
      status: recipe.status ?? 2,
    });
  },
);

describe('the SDK against the service', () => {
  const owner = () => clients.get('owner')!;

  test('a plan is analyzed', async () => {
    const plan = readFileSync(join(packageRoot(), 'test/fixtures/plans/every-action.json'));

    const verdict = await owner().analyze({ org_id, plan, ci: { repo_owner: 'acme', repo_name: 'infra' } });

    expect(verdict.summary.total).toBeGreaterThan(0);
    expect(verdict.scan_run).toMatchObject({ status: 'done' });
  });

  test("an invalid plan is rejected with the contract's error class", async () => {
    const error = await owner()
      .analyze({ org_id, plan: '{"version":4,"lineage":"x","terraform_version":"1.9.0"}' })
      .catch((thrown: unknown) => thrown);

    expect(isApiError(error, 'invalid_plan_json')).toBe(true);
  });

  test('a list is read page by page', async () => {
    const { total } = await owner().call('listMembers', { path: { id: fixtures.ours }, query: { limit: 1 } });
    const found = new Set<string>();
    for await (const { user_id } of owner().paginate('listMembers', {
      path: { id: fixtures.ours },
      query: { limit: 1 },
    }))
      found.add(user_id);

    expect(found.size).toBe(total);
  });
});

describe('the README', () => {
  const readme = readFileSync(join(packageRoot(), 'sdk/README.md'), 'utf8');
  const exampleText = (name: string) => readFileSync(join(packageRoot(), `sdk/examples/${name}.ts`), 'utf8');

  beforeAll(async () => {
    const PLAN = join(packageRoot(), 'test/fixtures/plans/every-action.json');
    const token = await signToken('owner');
    Object.assign(process.env, { DPA_URL: fixtures.service.url, DPA_TOKEN: token, DPA_ORG: 'sdk', PLAN });
  });
  afterAll(() => void jest.restoreAllMocks());

  test.each(['analyze', 'resources', 'fix', 'webhook'])('the README shows examples/%s.ts', (name) => {
    expect(readme).toContain(exampleText(name));
  });

  test.each([
    ['analyze', /^risk: \w+\n/],
    ['resources', /^scans of sdk:\n.+\tjudged/],
    ['fix', /^\d+ recurring patterns/],
  ])('examples/%s.ts runs', async (name, output) => {
    const printed: string[] = [];
    jest.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    jest.spyOn(console, 'error').mockImplementation(() => {});

    await import(`../../sdk/examples/${name}.ts`);

    expect(printed.join('\n')).toMatch(output);
  });
});

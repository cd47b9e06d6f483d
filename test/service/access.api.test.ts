import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadDocument } from '../../server/http/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../helpers/service.ts';

interface Access {
  credential: 'oidc' | 'any' | 'none';
  role?: 'viewer' | 'member' | 'admin' | 'owner';
}

interface Operation {
  id: string;
  method: string;
  path: string;
  access: Access;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
const { api } = loadDocument();

/** Every operation of the contract; one that is added adds its rows by itself. */
const OPERATIONS: Operation[] = Object.entries(api.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    return [{ id: operation.operationId, method, path, access: operation['x-access'] as Access }];
  }),
);

/** Bodies that are right; an operation with a body and none here fails its rows. */
const BODIES: Record<string, () => unknown> = {
  createOrg: () => ({ slug: `made-${newId().slice(-12)}`, display_name: 'Made' }),
  analyzePlan: () => ({ plan_json: '{"format_version":"1.2","resource_changes":[]}' }),
};

describe('who may do what, for every operation of the contract', () => {
  let service: TestService;
  let owner: Caller;
  const org: Record<string, string> = {};
  const callers: Record<string, Caller> = {};

  beforeAll(async () => {
    service = await startTestService();
    owner = await service.as('owner');
    const made = await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' });
    org['id'] = made.body.id;
    const accepted = await owner.post(`/api/v2/orgs/${org['id']}/analyze`, BODIES['analyzePlan']?.());
    org['job_id'] = accepted.body.job_id;
    org['scan_id'] = accepted.body.scan_run_id;
    await service.finished(owner, accepted.headers.get('location') ?? '');
    callers['stranger'] = await service.as('stranger');
    await callers['stranger'].post('/api/v2/orgs', { slug: 'elsewhere', display_name: 'Elsewhere' });
    callers['owner'] = owner;
    for (const role of ROLES.slice(0, 3)) callers[role] = await makeMember(role);
  });
  afterAll(() => service.close());

  async function makeMember(role: string): Promise<Caller> {
    const caller = await service.as(role);
    const { body } = await caller.get('/api/v2/me');
    await service.admin_db('memberships').insert({ id: newId(), org_id: org['id'], user_id: body.user.id, role });
    return caller;
  }

  function call(caller: Caller, { id, method, path }: Operation, ids = org, headers = {}): Promise<Answer> {
    const url = `/api/v2${path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? newId())}`;
    return method === 'get' ? caller.get(url, headers) : caller.post(url, BODIES[id]?.(), headers);
  }

  const guarded = OPERATIONS.filter(({ access }) => access.credential !== 'none').map((one) => [one.id, one] as const);
  const ofAnOrg = guarded.filter(([, { path }]) => path.startsWith('/orgs/{id}'));

  test.each(OPERATIONS.map((one) => [one.id, one] as const))('%s works for an owner', async (_id, operation) => {
    expect((await call(owner, operation)).status).toBeLessThan(300);
  });

  test.each(guarded)('%s without a credential is 401 and says how to sign in', async (_id, operation) => {
    const { status, headers, body } = await call(service.nobody, operation);

    expect({ status, error_class: body.error_class }).toEqual({ status: 401, error_class: 'unauthenticated' });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="api"');
  });

  test.each(guarded)('%s with a bad token, a bad key, or both', async (_id, operation) => {
    const bearer = { authorization: 'Bearer nonsense' };
    const key = { 'x-api-key': 'dpa_nonsense' };

    expect((await call(service.nobody, operation, org, bearer)).body.error_class).toBe('invalid_token');
    expect((await call(service.nobody, operation, org, key)).body.error_class).toBe('invalid_api_key');
    expect((await call(service.nobody, operation, org, { ...bearer, ...key })).body.error_class).toBe(
      'ambiguous_credentials',
    );
  });

  test.each(ofAnOrg)('%s hides a foreign org behind the answer for one that does not exist', async (_id, operation) => {
    const foreign = await call(callers['stranger']!, operation);
    const unknown = await call(callers['stranger']!, operation, { ...org, id: newId() });

    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  test.each(ofAnOrg)('%s asks for the role it declares', async (_id, operation) => {
    const least = ROLES.indexOf(operation.access.role ?? 'viewer');
    for (const [rank, role] of ROLES.entries()) {
      const { status, body } = await call(callers[role]!, operation);
      if (rank >= least) expect(status).toBeLessThan(300);
      else expect({ status, error_class: body.error_class }).toEqual({ status: 403, error_class: 'forbidden_role' });
    }
  });

  const withOwnIds = ofAnOrg.filter(([, { path }]) => /\{(?!id\})\w+\}/.test(path));

  test.each(withOwnIds)("%s does not find another org's record under one's own org", async (_id, operation) => {
    const stranger = callers['stranger']!;
    const { body } = await stranger.get('/api/v2/orgs');

    expect((await call(stranger, operation, { ...org, id: body.orgs[0].id })).status).toBe(404);
  });

  test.each(withOwnIds)('%s answers 404 to an id that is none', async (_id, operation) => {
    const answer = await call(owner, operation, { id: org['id'] ?? '', job_id: 'x', scan_id: 'x' });

    expect(answer.status).toBe(404);
  });
});

describe('orgs over HTTP', () => {
  let service: TestService;
  let ana: Caller;
  beforeAll(async () => {
    service = await startTestService();
    ana = await service.as('ana');
  });
  afterAll(() => service.close());

  test('an org that is created can be read, is listed with its role, and shows in /me', async () => {
    const made = await ana.post('/api/v2/orgs', { slug: 'first', display_name: 'First' });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/api/v2/orgs/${made.body.id}`);

    expect((await ana.get(`/api/v2/orgs/${made.body.id}`)).body).toEqual(made.body);
    expect((await ana.get('/api/v2/orgs')).body).toEqual({
      orgs: [{ ...made.body, role: 'owner' }],
      total: 1,
      limit: 100,
      offset: 0,
    });
    expect((await ana.get('/api/v2/me')).body).toMatchObject({
      user: { email: 'ana@example.com', is_platform_admin: false },
      auth: { type: 'oidc' },
      memberships: [{ org_slug: 'first', role: 'owner' }],
    });
  });

  test('a taken slug is 409, a bad one 400, and X-Org-ID is refused', async () => {
    await ana.post('/api/v2/orgs', { slug: 'taken', display_name: 'T' });
    const make = (body: object, headers = {}) => ana.post('/api/v2/orgs', body, headers);

    expect((await make({ slug: 'taken', display_name: 'T' })).body.error_class).toBe('slug_taken');
    expect((await make({ slug: 'Not A Slug', display_name: 'T' })).status).toBe(400);
    expect((await make({ slug: 'free', display_name: 'T' }, { 'x-org-id': newId() })).body.error_class).toBe(
      'org_header_not_allowed',
    );
    expect((await make({ slug: 'free', display_name: 'T', plan: 'enterprise' })).body.error).toBe(
      'invalid request body: json: unknown field "plan"',
    );
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../server/lib/ids.ts';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

describe('organizations over HTTP', () => {
  let service: TestService;
  let ana: Caller;
  beforeAll(async () => {
    service = await startTestService();
    ana = await service.signIn('ana');
  });
  afterAll(() => service.close());

  test('a created organization can be read, is listed with its role, and is in /me', async () => {
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

  test('a taken slug is 409, an invalid one 400, and X-Org-ID is rejected', async () => {
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

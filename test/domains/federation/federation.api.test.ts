import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../server/lib/ids.ts';
import { type Caller, startTestService, type TestService } from '../../helpers/service.ts';
import { AUDIENCE, type CiIssuer, GITHUB_CLAIMS, startCi } from './ci-issuer.ts';

let ci: CiIssuer;
let service: TestService;
let ana: Caller;
let org: string;
beforeAll(async () => {
  ci = await startCi();
  service = await startTestService(
    {
      API_URL: `${AUDIENCE}/`,
      FEDERATION_SUBJECT: 'deployment:test',
      FEDERATION_TRUSTED_ISSUERS: `${ci.issuer},https://gitlab.com`,
    },
    'api',
  );
  ana = await service.signIn('ana');
  org = (await ana.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
});
afterAll(() => Promise.all([service.close(), ci.close()]));

const TRUST = {
  name: 'CI',
  issuer: 'https://gitlab.com',
  conditions: [{ claim: 'project_id', op: 'eq', value: '20' }],
  scopes: ['analysis:read', 'analysis:write'],
  ttl_seconds: 300,
};

const BY_SUBJECT = [{ claim: 'sub', op: 'eq', value: 'job-1' }];

/** A trust in the local CI; over HTTP, an issuer must be https. */
async function trustCi(): Promise<string> {
  const id = newId();
  const { user } = (await ana.get('/api/v2/me')).body;
  const conditions = JSON.stringify([{ claim: 'repository_id', op: 'eq', value: GITHUB_CLAIMS.repository_id }]);
  await service.admin_db('federation_trusts').insert({
    ...TRUST,
    id,
    org_id: org,
    issuer: ci.issuer,
    conditions,
    created_by: user.id,
  });
  return id;
}

async function exchange(fields: Record<string, string>): Promise<Response> {
  return fetch(`${service.url}/api/v2/federation/token`, { method: 'POST', body: new URLSearchParams(fields) });
}

async function fields(more: Record<string, string> = {}): Promise<Record<string, string>> {
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: await ci.sign(GITHUB_CLAIMS),
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    audience: org,
    ...more,
  };
}

test('a form with a CI token returns a working API key, until its trust is deleted', async () => {
  const trust_id = await trustCi();

  const answer = await exchange(await fields({ scope: 'analysis:read' }));

  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const body = (await answer.json()) as { access_token: string };
  expect(body).toEqual({
    access_token: expect.stringMatching(/^dpa_[0-9A-Za-z]{42}$/),
    issued_token_type: 'urn:dpa:params:oauth:token-type:api-key',
    token_type: 'N_A',
    expires_in: 300,
    scope: 'analysis:read',
    org_id: org,
  });
  const key = service.withHeaders({ 'x-api-key': body.access_token });
  expect((await key.get(`/api/v2/orgs/${org}/llm-jobs/${newId()}`)).status).toBe(404);
  expect(await key.get(`/api/v2/orgs/${org}/scans`)).toMatchObject({
    status: 403,
    body: { error_class: 'missing_scope' },
  });
  expect(await key.get(`/api/v2/orgs/${org}/federation-trusts`)).toMatchObject({
    status: 403,
    body: { error_class: 'oidc_required' },
  });

  expect((await ana.send('DELETE', `/api/v2/orgs/${org}/federation-trusts/${trust_id}`)).status).toBe(204);
  expect((await key.get(`/api/v2/orgs/${org}/llm-jobs/${newId()}`)).status).toBe(401);
});

test('errors have the OAuth 2.0 form', async () => {
  const no_trust = await exchange(await fields({ audience: newId() }));
  expect(no_trust.status).toBe(400);
  expect(await no_trust.json()).toMatchObject({
    error: 'invalid_grant',
    error_description: 'no trust of the organization matches this token',
    error_class: 'invalid_grant',
    request_id: expect.any(String),
  });

  const other_grant = await exchange(await fields({ grant_type: 'password' }));
  expect(await other_grant.json()).toMatchObject({ error: 'unsupported_grant_type' });
});

test('an admin can create, list and delete trusts', async () => {
  const path = `/api/v2/orgs/${org}/federation-trusts`;
  const inside = await ana.post(path, { ...TRUST, issuer: 'https://127.0.0.1', conditions: BY_SUBJECT });
  expect(inside).toMatchObject({ status: 400, body: { error_class: 'url_not_allowed' } });

  const named = [{ claim: 'project_path', op: 'eq', value: 'acme/infra' }];
  const loose = await ana.post(path, { ...TRUST, conditions: named });
  expect(loose).toMatchObject({ status: 400, body: { error_class: 'invalid_request' } });

  const made = await ana.post(path, TRUST);
  expect(made).toMatchObject({
    status: 201,
    body: { ...TRUST, enabled: true, created_by: { email: 'ana@example.com' }, last_used_at: null },
  });
  expect((await ana.get(path)).body).toEqual({ trusts: [made.body] });

  expect((await ana.send('DELETE', `${path}/${made.body.id}`)).status).toBe(204);
  expect((await ana.send('DELETE', `${path}/${made.body.id}`)).status).toBe(404);
  expect((await ana.get(path)).body).toEqual({ trusts: [] });
  const rows = await service.admin_db('audit_log').where({ org_id: org }).orderBy('seq').select('action', 'detail');
  expect(rows.filter(({ detail }) => detail.trust_id === made.body.id)).toEqual([
    {
      action: 'federation_trust.created',
      detail: { trust_id: made.body.id, issuer: 'https://gitlab.com', scopes: TRUST.scopes },
    },
    { action: 'federation_trust.deleted', detail: { trust_id: made.body.id } },
  ]);
});

test('only platform admins can read the setup details; the discovery documents are public', async () => {
  expect((await ana.get('/api/v2/federation-info')).status).toBe(403);
  const root = await service.signIn('root');
  await root.get('/api/v2/me');
  await service.admin_db('users').where({ email: 'root@example.com' }).update({ is_platform_admin: true });

  const info = await (await service.signIn('root')).get('/api/v2/federation-info');

  expect(info).toMatchObject({
    status: 200,
    body: {
      subject: 'deployment:test',
      issuer: AUDIENCE,
      token_exchange: { trusted_issuers: [ci.issuer, 'https://gitlab.com'] },
    },
  });
  const configuration = await fetch(`${service.url}/.well-known/openid-configuration`);
  expect(await configuration.json()).toMatchObject({ issuer: AUDIENCE, jwks_uri: info.body.jwks_uri });
  const jwks = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: { alg: string }[] };
  expect(jwks.keys.map(({ alg }) => alg)).toEqual(['ES256', 'RS256']);
  expect(JSON.stringify(jwks)).not.toMatch(/"(?:d|p|q|dp|dq|qi)"/);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let owner: Caller;
let org_id: string;
let sso: string;

beforeAll(async () => {
  service = await startTestService({}, 'api');
  owner = await service.signIn('owner');
  org_id = (await owner.post('/api/v2/orgs', { slug: 'acme', display_name: 'Acme' })).body.id;
  sso = `/api/v2/orgs/${org_id}/sso-config`;
});

afterAll(() => service.close());

const setPlan = (plan: string) => service.admin_db('orgs').where({ id: org_id }).update({ plan });

async function makeKey(): Promise<Caller> {
  const { body } = await owner.post(`/api/v2/orgs/${org_id}/api-keys`, {
    name: `key ${Math.random()}`,
    scopes: ['read'],
  });
  return service.withHeaders({ 'x-api-key': body.key });
}

/** Somebody who has just become a member of the organization. */
async function join(role: string): Promise<Caller> {
  const caller = await service.signIn(`${role}-${crypto.randomUUID()}`);
  const user_id = (await caller.get('/api/v2/me')).body.user.id;
  const membership = { id: crypto.randomUUID(), org_id, user_id, role, accepted_at: new Date() };
  await service.admin_db('memberships').insert(membership);
  return caller;
}

describe('single sign-on', () => {
  test('is not part of the free plan', async () => {
    await setPlan('free');

    for (const answer of [await owner.get(sso), await owner.send('PUT', sso, {})]) {
      expect(answer).toMatchObject({
        status: 402,
        body: { code: 'plan_feature_required', feature: 'sso', plan: 'free', required_plan: 'team' },
      });
    }
  });

  test.each(['team', 'enterprise'])('is shown as not set up on the %s plan, and cannot be set up', async (plan) => {
    await setPlan(plan);

    expect(await owner.get(sso)).toMatchObject({ status: 200, body: { enabled: false, configured: false } });
    expect(await owner.send('PUT', sso, { metadata_url: 'https://idp.example.com' })).toMatchObject({
      status: 503,
      body: { error_class: 'sso_unavailable' },
    });
  });

  test.each([
    ['no body', undefined],
    ['a text that is not JSON', '{"a":'],
    ['a repeated key', '{"a":1,"a":2}'],
    ['an array', []],
  ])('answers 503, not 400, for %s', async (_, body) => {
    await setPlan('team');

    expect(await owner.send('PUT', sso, body)).toMatchObject({ status: 503, body: { error_class: 'sso_unavailable' } });
  });

  test.each([
    ['viewer', 403],
    ['member', 403],
    ['admin', 503],
  ])('a %s can read it on the team plan, and gets %i for setting it up', async (role, expected) => {
    await setPlan('team');
    const caller = await join(role);

    expect(await caller.get(sso)).toMatchObject({ status: 200, body: { enabled: false, configured: false } });
    expect(await caller.send('PUT', sso, {})).toMatchObject({ status: expected });
  });

  test('a key can read it, and nobody else', async () => {
    await setPlan('team');
    const key = await makeKey();
    const stranger = await service.signIn('stranger');

    expect(await key.get(sso)).toMatchObject({ status: 200 });
    expect(await service.anonymous.get(sso)).toMatchObject({ status: 401 });
    expect(await stranger.get(sso)).toMatchObject({ status: 404 });
  });

  test('checks credential and role before the plan', async () => {
    await setPlan('free');
    const member = await join('member');
    const key = await makeKey();
    const stranger = await service.signIn('stranger');

    expect(await service.anonymous.send('PUT', sso, {})).toMatchObject({ status: 401 });
    expect(await stranger.send('PUT', sso, {})).toMatchObject({ status: 404 });
    expect(await member.send('PUT', sso, {})).toMatchObject({ status: 403, body: { error_class: 'forbidden_role' } });
    expect(await key.send('PUT', sso, {})).toMatchObject({ status: 403, body: { error_class: 'oidc_required' } });
  });
});

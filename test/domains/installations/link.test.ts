import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCredential } from '../../../server/lib/credential.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createStateSigner } from '../../../server/lib/state-signer.ts';
import { addMember, makeUser } from '../../helpers/people.ts';
import { minutesLater } from '../orgs/setup.ts';
import { APP_URL, describeEnd, type InstallationsUnderTest, setUpInstallations, signer } from './setup.ts';

let under: InstallationsUnderTest;
beforeAll(async () => {
  under = await setUpInstallations();
  under.github.addRepo('acme/infra');
});
afterAll(() => under.close());
const before = new Date('2026-05-01T12:00:00.000Z');
afterEach(() => {
  under.clock.now = before;
  under.github.state.faults.length = 0;
});

let owner: Principal;
let org: string;
let id: number;
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
  id = under.github.install(['acme/infra'], { visible_to: ['ana'] });
});

/** The parameters with which GitHub sends a person back. */
const back = async (more: Record<string, string> = {}) => ({
  state: await under.createState(owner, org),
  code: under.github.code('ana'),
  installation_id: String(id),
  setup_action: 'install',
  ...more,
});
const end = async (query: Record<string, string | undefined>) => describeEnd(await under.comeAndDecide(query));
const complete = (query: Record<string, string>) => under.comeAndDecide(query);

test("an installation confirmed by its manager joins the requester's organization with a key of its own", async () => {
  const { slug } = await under.orgs.get(org);

  expect(await complete(await back())).toBe(`${APP_URL}/orgs/${slug}/settings/integrations?scm=connected`);

  const [row] = await under.rows(org);
  expect(await under.installations.list(org)).toEqual([
    {
      id: row.id,
      provider: 'github',
      installation_id: id,
      account_login: 'acme',
      account_type: 'Organization',
      account_avatar_url: expect.stringContaining('/avatars/'),
      repository_selection: 'selected',
      permissions: expect.objectContaining({ checks: 'write', contents: 'read' }),
      status: 'active',
      html_url: `${under.github.url}/organizations/acme/settings/installations/${id}`,
      linked_by: { id: owner.user.id, email: owner.user.email },
      created_at: before,
      updated_at: before,
    },
  ]);
  const access = await under.installations.access(org, row.id);
  expect(access).toMatchObject({ id: row.id, installation_id: id, account_login: 'acme' });
  expect(row.api_key_ct.includes(access?.dpa_token ?? '?')).toBe(false);
  expect(await under.apiKeys.authenticate(createCredential('api_key', access?.dpa_token ?? ''))).toMatchObject({
    key: { id: row.api_key_id, kind: 'integration', org_id: org, scopes: ['analysis:write', 'analysis:read'] },
  });
  const actor_email = owner.user.email;
  expect(under.audit.selectEvents(org)).toMatchObject([
    {
      action: 'scm_installation.created',
      actor_email,
      detail: { id: row.id, installation_id: id, account_login: 'acme', confirmed_by: 'ana' },
    },
    { action: 'api_key.created', actor_email, detail: { key_id: row.api_key_id, name: 'acme' } },
  ]);
});

describe('an installation is not linked', () => {
  const NOTHING = async () => {
    expect(await under.rows(org)).toEqual([]);
    expect(under.audit.selectEvents(org)).toEqual([]);
  };

  test('with an unreadable state, and the redirect names no organization', async () => {
    const { state, ...rest } = await back();
    const [payload = '', mac = ''] = state.split('.');
    const forged = Buffer.from(payload, 'base64url').toString().replace(org, owner.user.id);
    const bad = [
      undefined,
      '',
      payload,
      `${payload}.`,
      `${payload}.${mac.slice(0, -2)}`,
      `${payload}.${mac}.${mac}`,
      `${payload}=.${mac}`,
      `${Buffer.from(forged).toString('base64url')}.${mac}`,
      createStateSigner([Buffer.alloc(32, 8)]).sign('scm-state-v1', Buffer.from(payload, 'base64url').toString()),
      signer.sign('chat-state-v1', Buffer.from(payload, 'base64url').toString()),
      'x'.repeat(10_000),
    ];

    for (const state of bad) {
      expect(await under.installations.complete({ ...rest, state })).toEqual({
        location: `${APP_URL}/settings?scm=denied&reason=invalid_state`,
      });
    }
    await NOTHING();
  });

  test('with a state that was used, has expired, or was never issued', async () => {
    const denied = 'denied invalid_state';
    const used = await back({ error: 'access_denied' });
    expect(await end(used)).toBe('denied access_denied');
    expect(await end({ ...used, error: undefined, code: under.github.code('ana') })).toBe(denied);

    const late = await back();
    under.clock.now = minutesLater(before, 10);
    expect(await end(late)).toBe(denied);
    under.clock.now = before;

    const [payload = ''] = (await under.createState(owner, org)).split('.');
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const others = [
      { ...content, nonce: 'other' },
      { ...content, user_id: org },
      { ...content, org_id: (await under.makeOwner()).org },
    ];
    for (const other of others) {
      expect(await end(await back({ state: signer.sign('scm-state-v1', JSON.stringify(other)) }))).toBe(denied);
    }
    await under.database.admin_db('oauth_states').where({ org_id: org, status: 'issued' }).update({ purpose: 'chat' });
    expect(await end(await back({ state: signer.sign('scm-state-v1', JSON.stringify(content)) }))).toBe(denied);
    await NOTHING();
  });

  test('if GitHub does not list it for the person, whatever id they send', async () => {
    const other = under.github.install(['acme/infra'], { login: 'other', visible_to: ['bob'] });

    for (const installation_id of [String(other), '0', '-1', '1e3', 'x', '9'.repeat(40)]) {
      expect(await end(await back({ installation_id }))).toBe('denied installation_not_yours');
    }
    await NOTHING();
  });

  test.each([
    [
      'an error about a used code',
      async (query: Record<string, string>) =>
        void (await complete(await back({ code: query['code'] ?? '', installation_id: '1' }))),
    ],
    ['no response', async () => under.github.fail({ path: /./, how: 'drop' })],
    [
      'a limit',
      async () =>
        under.github.fail({ path: /installations/, how: { status: 403, body: {}, headers: { 'retry-after': '9' } } }),
    ],
  ])('if GitHub responds with %s', async (_title, arrange) => {
    const query = await back();
    await arrange(query);

    expect(await end(query)).toBe('denied exchange_failed');
    await NOTHING();
  });

  test.each(['member', 'viewer', 'nobody'])('if the requester has become %s in the meantime', async (role) => {
    const query = await back();
    const memberships = under.database.admin_db('memberships').where({ org_id: org, user_id: owner.user.id });
    if (role === 'nobody') await memberships.delete();
    else await memberships.update({ role });

    expect(await end(query)).toBe('denied role_lost');
    await NOTHING();
  });

  test('if the requester was deleted in the meantime', async () => {
    const query = await back();
    await under.database.admin_db('users').where({ id: owner.user.id }).update({ deleted_at: before });

    expect(await end(query)).toBe('denied role_lost');
    await NOTHING();
  });

  test('if it belongs to another organization', async () => {
    const theirs = await under.makeOwner();
    const state = await under.createState(theirs.owner, theirs.org);
    expect(await end(await back({ state }))).toBe('connected');

    expect(await end(await back())).toBe('denied already_linked');
    await NOTHING();
    expect(await under.database.admin_db('api_keys').where({ org_id: org })).toEqual([]);
  });

  test('on a deployment without a GitHub App, where no link can be requested either', async () => {
    const query = await back();

    expect(describeEnd(await under.without.complete(query))).toBe('denied invalid_state');
    await expect(under.without.installUrl(owner, org)).rejects.toMatchObject({
      status: 503,
      error_class: 'scm_not_configured',
    });
  });
});

describe('a callback without a code', () => {
  /** The parameters of a person who was sent to GitHub to sign in first. */
  async function resumed(query: Record<string, string>) {
    const end = await under.installations.complete(query);
    const location = new URL('location' in end ? end.location : 'urn:question');
    expect(location.origin + location.pathname).toBe(`${under.github.url}/login/oauth/authorize`);
    return location.searchParams.get('state') ?? '';
  }

  test('the person is sent to GitHub for a code and asked about the installation named before', async () => {
    const { code: _none, ...query } = await back({ setup_action: 'update' });
    const state = await resumed(query);

    expect(await end({ state, code: under.github.code('ana'), installation_id: '1' })).toBe('connected');
    expect(await under.rows(org)).toMatchObject([{ installation_id: String(id) }]);
  });

  test('a second callback without a code links nothing', async () => {
    const { code: _none, ...query } = await back();
    const state = await resumed(query);

    expect(await end({ state })).toBe('denied exchange_failed');
    expect(await under.rows(org)).toEqual([]);
  });

  test('an installation that an owner must approve is pending and stores nothing', async () => {
    const { code: _none, installation_id: _unknown, ...query } = await back({ setup_action: 'request' });

    expect(await end(query)).toBe('pending');
    expect(await under.database.admin_db('oauth_states').where({ org_id: org })).toMatchObject([
      { status: 'used', account_login: null },
    ]);
  });
});

test('linking again by the same organization refreshes the installation and replaces its key', async () => {
  await complete(await back());
  const [first] = await under.rows(org);
  const old = await under.installations.access(org, first.id);
  const admin = await makeUser(under.database.admin_db);
  await addMember(under.database.admin_db, org, admin, 'admin');
  under.clock.now = minutesLater(before, 1);
  const state = await under.createState(admin, org);

  expect(await end(await back({ state }))).toBe('connected');

  const [row, ...others] = await under.rows(org);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    id: first.id,
    linked_by: admin.user.id,
    created_at: before,
    updated_at: under.clock.now,
  });
  const fresh = await under.installations.access(org, row.id);
  expect(fresh?.dpa_token).not.toBe(old?.dpa_token);
  await expect(under.apiKeys.authenticate(createCredential('api_key', old?.dpa_token ?? ''))).rejects.toMatchObject({
    status: 401,
  });
  expect(under.audit.selectEvents(org, 'scm_installation.created')).toHaveLength(1);
  expect(under.audit.selectEvents(org, 'api_key.revoked')).toMatchObject([{ detail: { key_id: first.api_key_id } }]);
});

describe('concurrent callbacks', () => {
  test('twenty identical callbacks create one link', async () => {
    const query = await back();

    const ends = await Promise.all(Array.from({ length: 20 }, () => end(query)));

    expect(ends.filter((one) => one === 'connected')).toHaveLength(1);
    expect(ends.filter((one) => one === 'denied invalid_state')).toHaveLength(19);
    expect(await under.rows(org)).toHaveLength(1);
    expect(under.audit.selectEvents(org, 'api_key.created')).toHaveLength(1);
  });

  test('of several organizations that link one installation, exactly one gets it', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => under.makeOwner()));
    const queries = await Promise.all(
      owners.map(async (one) => back({ state: await under.createState(one.owner, one.org) })),
    );

    const ends = await Promise.all(queries.map(end));

    expect(ends.filter((one) => one === 'connected')).toHaveLength(1);
    expect(ends.filter((one) => one === 'denied already_linked')).toHaveLength(7);
  });

  test('if an installation is unlinked and linked concurrently, only the stored key works', async () => {
    for (let round = 0; round < 5; round += 1) {
      await complete(await back());
      const [row] = (await under.rows(org)).filter(({ deleted_at }) => deleted_at === null);
      const query = await back();

      await Promise.all([complete(query), under.installations.remove(owner, org, row.id).catch(() => {})]);

      const live = (await under.rows(org)).filter(({ deleted_at }) => deleted_at === null);
      const keys = await under.database.admin_db('api_keys').where({ org_id: org }).whereNull('revoked_at').pluck('id');
      expect(keys).toEqual(live.map(({ api_key_id }) => api_key_id));
      expect(live.length).toBeLessThanOrEqual(1);
    }
  });
});

test('unlinking ends and deletes the key, and another organization can link the installation', async () => {
  await complete(await back());
  const [row] = await under.rows(org);
  const access = await under.installations.access(org, row.id);
  const other = await under.makeOwner();

  await expect(under.installations.remove(other.owner, other.org, row.id)).rejects.toMatchObject({ status: 404 });
  await under.installations.remove(owner, org, row.id);
  await expect(under.installations.remove(owner, org, row.id)).rejects.toMatchObject({ status: 404 });

  expect(await under.installations.list(org)).toEqual([]);
  expect(await under.installations.access(org, row.id)).toBeUndefined();
  expect(await under.rows(org)).toMatchObject([{ api_key_id: null, api_key_ct: null }]);
  await expect(under.apiKeys.authenticate(createCredential('api_key', access?.dpa_token ?? ''))).rejects.toMatchObject({
    status: 401,
  });
  expect(under.audit.selectEvents(org, 'scm_installation.deleted')).toMatchObject([{ detail: { id: row.id } }]);
  const state = await under.createState(other.owner, other.org);
  expect(await end(await back({ state }))).toBe('connected');
});

test('expired states are deleted', async () => {
  const { admin_db } = under.database;
  await under.createState(owner, org);
  under.clock.now = minutesLater(before, 5);
  await under.createState(owner, org);

  under.clock.now = minutesLater(before, 10);
  await under.installations.deleteExpiredStates();

  expect(await admin_db('oauth_states').where({ org_id: org })).toHaveLength(1);
});

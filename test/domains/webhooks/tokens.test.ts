import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TokenProbe } from '../../../server/adapters/scm/token/types.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { setUpWebhooks, type WebhooksUnderTest } from './setup.ts';

const DAY_MS = 86_400_000;
const TOKEN = 'glpat-0123456789abcdefghij';
const GITLAB = { provider: 'gitlab', repo_path: 'acme/shop' } as const;
const ACTIVE: TokenProbe = { status: 'active', user_id: '4711', expires_at: null };

let under: WebhooksUnderTest;
beforeAll(async () => {
  under = await setUpWebhooks();
});
afterAll(() => under.database.close());

let owner: Principal;
let org: string;
let id: string;
const start = new Date('2026-05-01T12:00:00.000Z');
beforeEach(async () => {
  under.clock.now = start;
  under.host.token_probe = ACTIVE;
  ({ owner, org } = await under.makeOwner());
  id = (await under.webhooks.configs.create(owner, org, { ...GITLAB, api_token: TOKEN })).config.id;
  under.probed.length = 0;
});
const later = (ms: number) => {
  under.clock.now = new Date(start.getTime() + ms);
};
const status = async () => (await under.webhooks.configs.get(org, id)).api_token_status;

test('a token given at creation is validated and stored encrypted, and the bot gets it', async () => {
  const [event] = under.audit.selectEvents(org, 'webhook_config.created');
  const row = await under.row(id);

  expect(await under.webhooks.configs.get(org, id)).toMatchObject({
    api_token_prefix: 'glpat-01',
    api_token_status: 'active',
    api_token_expires_at: null,
  });
  expect(row.api_token_ct.includes(TOKEN)).toBe(false);
  expect(await under.webhooks.configs.access(org, id)).toMatchObject({ api_token: TOKEN, api_user_id: '4711' });
  expect(event?.detail).toMatchObject({ api_token_prefix: 'glpat-01', api_token_status: 'active' });
  expect(JSON.stringify(under.audit.selectEvents(org))).not.toContain(TOKEN);
});

test('an invalid token is not stored, and the previous one is kept', async () => {
  const { tokens, configs } = under.webhooks;
  const kinds = {
    expired: 'api_token_expired',
    invalid: 'api_token_invalid',
    unknown: 'scm_host_unreachable',
  } as const;

  for (const [status, error_class] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    under.host.token_probe = { status, problem: 'create a new one' };
    const refused = { status: 422, error_class, message: 'api_token was not stored: create a new one' };
    await expect(tokens.set(owner, org, id, { api_token: `${TOKEN}2` })).rejects.toMatchObject(refused);
    const other = { ...GITLAB, repo_path: 'acme/other', api_token: TOKEN };
    await expect(configs.create(owner, org, other)).rejects.toMatchObject(refused);
  }
  expect(await configs.access(org, id)).toMatchObject({ api_token: TOKEN });
  expect(await configs.list(org, { limit: 50, offset: 0 })).toMatchObject({ total: 1 });
  expect(under.audit.selectEvents(org, 'webhook_config.token_updated')).toEqual([]);
});

test('replacing and deleting a token are both audited', async () => {
  const { tokens, configs } = under.webhooks;
  under.host.token_probe = { ...ACTIVE, expires_at: new Date('2026-09-01T00:00:00Z') };

  const set = { api_token: 'github_pat_another-one', api_token_expires_at: '2026-12-01T00:00:00Z' };
  expect(await tokens.set(owner, org, id, set)).toMatchObject({
    api_token_prefix: 'github_p',
    api_token_expires_at: new Date('2026-09-01T00:00:00Z'),
  });
  await tokens.clear(owner, org, id);
  await expect(tokens.clear(owner, org, id)).rejects.toMatchObject({ status: 404 });

  expect(await configs.access(org, id)).toMatchObject({ api_token: null, api_user_id: null });
  expect(under.audit.selectEvents(org, 'webhook_config.token_updated').map(({ detail }) => detail)).toEqual([
    { config_id: id, token_cleared: false, api_token_prefix: 'github_p', api_token_status: 'active' },
    { config_id: id, token_cleared: true },
  ]);
});

test('a generic webhook accepts no token, another organization cannot set one, and an expired one is rejected', async () => {
  const { tokens, configs } = under.webhooks;
  const generic = { provider: 'generic', provider_base_url: 'https://hooks.example.com/' } as const;
  const other = await under.makeOwner();
  const ended = { api_token: TOKEN, api_token_expires_at: start.toISOString() };

  await expect(configs.create(owner, org, { ...generic, api_token: TOKEN })).rejects.toMatchObject({ status: 400 });
  const { config } = await configs.create(owner, org, generic);
  await expect(tokens.set(owner, org, config.id, { api_token: TOKEN })).rejects.toMatchObject({ status: 400 });
  await expect(tokens.set(other.owner, other.org, id, { api_token: TOKEN })).rejects.toMatchObject({ status: 404 });
  await expect(tokens.clear(other.owner, other.org, id)).rejects.toMatchObject({ status: 404 });
  await expect(tokens.set(owner, org, id, ended)).rejects.toMatchObject({ status: 400 });
  expect(under.probed).toEqual([]);
});

test('after a rejection the token is validated again, every ten minutes at most', async () => {
  const { recheck } = under.webhooks.tokens;
  under.host.token_probe = { status: 'invalid', problem: 'create a new one' };

  await recheck(org, id);
  expect(await status()).toBe('active');
  later(10 * 60_000);
  await Promise.all(Array.from({ length: 10 }, () => recheck(org, id)));

  expect(await status()).toBe('invalid');
  expect(under.probed).toEqual([{ ...GITLAB, provider_base_url: 'https://gitlab.com', token: TOKEN }]);
});

test('every token is validated once a day, and an unreachable host changes nothing', async () => {
  const { recheckAll } = under.webhooks.tokens;
  under.host.token_probe = { status: 'unknown', problem: 'gitlab.com cannot be reached' };

  later(DAY_MS);
  await recheckAll();
  await recheckAll();
  expect(await status()).toBe('active');
  under.host.token_probe = { status: 'insufficient_scope', problem: 'it needs the scope "api"' };
  later(2 * DAY_MS);
  await recheckAll();

  expect(await status()).toBe('insufficient_scope');
});

test('an expired token is reported as expired without asking its host', async () => {
  const { tokens } = under.webhooks;
  await tokens.set(owner, org, id, { api_token: TOKEN, api_token_expires_at: '2026-05-02T00:00:00+02:00' });
  under.probed.length = 0;

  later(DAY_MS);
  await tokens.recheck(org, id);

  expect(await status()).toBe('expired');
  expect(under.probed).toEqual([]);
});

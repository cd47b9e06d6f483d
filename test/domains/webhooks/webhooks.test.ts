import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setUpWebhooks, type WebhooksUnderTest } from './setup.ts';

const PAGE = { limit: 50, offset: 0 };
const DAY_MS = 86_400_000;

let under: WebhooksUnderTest;
beforeAll(async () => {
  under = await setUpWebhooks();
});
afterAll(() => under.database.close());

const shop = { provider: 'gitlab', repo_path: 'acme/platform/shop' } as const;

describe('creating a webhook configuration', () => {
  test('a new configuration shows its secret once, stores it encrypted, and has an integration key', async () => {
    const { owner, org } = await under.makeOwner();

    const { config, raw_secret } = await under.webhooks.configs.create(owner, org, shop);

    expect(raw_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(config).toMatchObject({
      ...shop,
      provider_base_url: 'https://gitlab.com',
      label: null,
      enabled: true,
      secret_prefix: raw_secret.slice(0, 12),
      api_token_prefix: null,
      last_delivery_at: null,
    });
    const { rows } = await under.database.admin_db.raw('select w::text as text from webhook_configs w where id = ?', [
      config.id,
    ]);
    expect(rows[0].text).not.toContain(Buffer.from(raw_secret).toString('hex'));
    const key = await under.database.admin_db('api_keys').where({ org_id: org }).first();
    expect(key).toMatchObject({ kind: 'integration', name: shop.repo_path, user_id: owner.user.id });
    expect((await under.row(config.id)).api_key_id).toBe(key.id);
    expect(under.audit.selectEvents(org).map(({ action }) => action)).toEqual([
      'webhook_config.created',
      'api_key.created',
    ]);
    expect(JSON.stringify(under.audit.selectEvents(org))).not.toContain(raw_secret);
  });

  test('concurrent creations for one repository create one configuration, and a deleted one does not count', async () => {
    const { owner, org } = await under.makeOwner();
    const { create, list, remove } = under.webhooks.configs;

    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => create(owner, org, shop)));

    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.error_class] : []));
    expect(refused).toEqual(Array(7).fill('webhook_config_exists'));
    const page = await list(org, PAGE);
    expect(page.total).toBe(1);
    await remove(owner, org, page.webhook_configs[0]!.id);
    await create(owner, org, shop);
    expect(await under.database.admin_db('api_keys').where({ org_id: org }).whereNull('revoked_at')).toHaveLength(1);
  });

  test("a configuration beyond the plan's limit is rejected", async () => {
    const { owner, org } = await under.makeOwner('free');
    const { create } = under.webhooks.configs;
    for (const name of ['a', 'b']) await create(owner, org, { provider: 'github', repo_path: `acme/${name}` });

    await expect(create(owner, org, { provider: 'github', repo_path: 'acme/c' })).rejects.toMatchObject({
      status: 402,
      extra: { body: { resource: 'webhook_configs', limit: 2, used: 2 } },
    });
  });

  test("the plan's limit is checked before names are compared and tokens are validated", async () => {
    const { owner, org } = await under.makeOwner('free');
    const { create } = under.webhooks.configs;
    for (const name of ['a', 'b']) await create(owner, org, { provider: 'github', repo_path: `acme/${name}` });
    under.probed.length = 0;

    await expect(create(owner, org, { provider: 'github', repo_path: 'acme/a' })).rejects.toMatchObject({
      status: 402,
    });
    const with_token = { provider: 'github' as const, repo_path: 'acme/c', api_token: 'ghp_0123456789' };
    await expect(create(owner, org, with_token)).rejects.toMatchObject({ status: 402 });
    expect(under.probed).toEqual([]);
  });

  test.each([
    ['no repository', { provider: 'github' }, 'invalid_request'],
    ['a group at GitHub', { provider: 'github', repo_path: 'acme/a/b' }, 'invalid_request'],
    ['a path traversal', { provider: 'gitlab', repo_path: 'acme/../b' }, 'invalid_request'],
    ['a full URL', { provider: 'gitlab', repo_path: 'https://gitlab.com/acme/b' }, 'invalid_request'],
    ['a query', { ...shop, provider_base_url: 'https://git.example.com/?a=b' }, 'invalid_request'],
    ['loopback', { ...shop, provider_base_url: 'https://127.0.0.1' }, 'url_not_allowed'],
    ['a private name', { ...shop, provider_base_url: 'https://gitlab.corp' }, 'url_not_allowed'],
    ['no target', { provider: 'generic' }, 'invalid_request'],
    ['a metadata service', { provider: 'generic', provider_base_url: 'http://169.254.169.254/' }, 'url_not_allowed'],
    ['a repository without an owner', { provider: 'generic', repo_path: 'a/b' }, 'invalid_request'],
  ] as const)('a configuration with %s is rejected', async (_what, input, error_class) => {
    const { owner, org } = await under.makeOwner();

    await expect(under.webhooks.configs.create(owner, org, input)).rejects.toMatchObject({ error_class });
  });

  test('a self-hosted URL is the same with and without a trailing slash', async () => {
    const { owner, org } = await under.makeOwner();
    const { create } = under.webhooks.configs;

    const { config } = await create(owner, org, { ...shop, provider_base_url: 'https://Git.Example.com/scm/' });

    expect(config.provider_base_url).toBe('https://git.example.com/scm');
    const again = create(owner, org, { ...shop, provider_base_url: 'https://git.example.com/scm' });
    await expect(again).rejects.toMatchObject({ error_class: 'webhook_config_exists' });
  });
});

test('a change is written and audited once, and an empty change is not', async () => {
  const { owner, org } = await under.makeOwner();
  const { configs } = under.webhooks;
  const { config } = await configs.create(owner, org, shop);

  await configs.update(owner, org, config.id, { enabled: false, label: 'Shop' });
  const same = await configs.update(owner, org, config.id, { label: 'Shop' });

  expect(same).toMatchObject({ enabled: false, label: 'Shop' });
  expect(under.audit.selectEvents(org, 'webhook_config.updated')).toHaveLength(1);
});

test('a rotation keeps the old secret for a day, encrypted like the new one', async () => {
  const { owner, org } = await under.makeOwner();
  const { configs } = under.webhooks;
  const first = await configs.create(owner, org, shop);

  const second = await configs.rotateSecret(owner, org, first.config.id);

  expect(second.raw_secret).not.toBe(first.raw_secret);
  const { prev_secret_until } = await under.row(first.config.id);
  expect(prev_secret_until.getTime() - under.clock.now.getTime()).toBe(DAY_MS);
  const { secret_prefix } = second.config;
  expect(under.audit.selectEvents(org, 'webhook_config.secret_rotated')[0]?.detail).toEqual({
    config_id: first.config.id,
    secret_prefix,
  });
});

test('a deletion removes every secret and revokes the key, and another organization can do neither', async () => {
  const { owner, org } = await under.makeOwner();
  const other = await under.makeOwner();
  const { configs } = under.webhooks;
  const { config } = await configs.create(owner, org, shop);
  await configs.rotateSecret(owner, org, config.id);

  await expect(configs.remove(other.owner, other.org, config.id)).rejects.toMatchObject({ status: 404 });
  await expect(configs.rotateSecret(other.owner, other.org, config.id)).rejects.toMatchObject({ status: 404 });
  await configs.remove(owner, org, config.id);

  expect(await under.row(config.id)).toMatchObject({
    secret_ct: Buffer.alloc(0),
    prev_secret_ct: null,
    api_token_ct: null,
    api_key_ct: null,
  });
  const [key] = await under.database.admin_db('api_keys').where({ org_id: org });
  expect(key).toMatchObject({ revoked_at: under.clock.now, revoked_by: owner.user.id });
  await expect(configs.get(org, config.id)).rejects.toMatchObject({ status: 404 });
});

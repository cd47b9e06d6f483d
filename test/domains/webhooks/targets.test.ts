import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reseal } from '../../../server/db/index.ts';
import { maskAddress } from '../../../server/domains/webhooks/address.ts';
import { SEALED_WEBHOOKS } from '../../../server/domains/webhooks/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { setUpWebhooks, type WebhooksUnderTest } from './setup.ts';

const SLACK = 'https://hooks.slack.com/services/T000/B000/aaaaaaaaaaaax9Zk';
/** Has the same end as the other URL: both have the same public part. */
const LOOKALIKE = 'https://hooks.slack.com/services/T111/B111/bbbbbbbbbbbbx9Zk';
const SHOWN = 'https://hooks.slack.com/…x9Zk';

let under: WebhooksUnderTest;
beforeAll(async () => {
  under = await setUpWebhooks();
});
afterAll(() => under.database.close());

let owner: Principal;
let org: string;
beforeEach(async () => {
  ({ owner, org } = await under.makeOwner());
});
const create = async (provider_base_url: string) =>
  (await under.webhooks.configs.create(owner, org, { provider: 'generic', provider_base_url })).config;
const TAKEN = { status: 409, error_class: 'webhook_config_exists' };

test.each([
  ['https://hooks.slack.com/services/T000/B000/x9Zk', 'https://hooks.slack.com/…x9Zk'],
  ['https://hooks.example.com:8443/a?sig=0123456789abcdef', 'https://hooks.example.com:8443/…cdef'],
  ['https://hooks.example.com/#0123456789abcdef', 'https://hooks.example.com/…cdef'],
  ['https://hooks.example.com/12345678901abcd', 'https://hooks.example.com/…abcd'],
  ['https://hooks.example.com/1234567890abcd', 'https://hooks.example.com/…'],
  ['https://hooks.example.com/hook', 'https://hooks.example.com/…'],
  ['https://hooks.example.com/?', 'https://hooks.example.com/'],
  ['https://hooks.example.com', 'https://hooks.example.com/'],
])('%s is shown as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
});

test('a URL is stored encrypted, and only its host and last characters are shown and audited', async () => {
  const config = await create(SLACK);

  expect(config.provider_base_url).toBe(SHOWN);
  expect(under.audit.selectEvents(org, 'webhook_config.created')).toMatchObject([
    { detail: { provider_base_url: SHOWN } },
  ]);
  const row = await under.row(config.id);
  expect(row.provider_base_url).toBe(SHOWN);
  expect(row.target_ct.toString('latin1')).not.toContain('T000');
});

test('a duplicate URL is rejected without echoing it, and a similar one is accepted', async () => {
  await create(SLACK);

  const again = await create(SLACK).catch((error: unknown) => error);
  expect(again).toMatchObject(TAKEN);
  expect(String(again)).not.toContain('T000');
  expect((await create(LOOKALIKE)).provider_base_url).toBe(SHOWN);
  await expect(create(LOOKALIKE)).rejects.toMatchObject(TAKEN);
});

test('of ten concurrent creations of one URL, one succeeds', async () => {
  const made = await Promise.allSettled(Array.from({ length: 10 }, () => create(SLACK)));

  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the URL of a deleted webhook is deleted and can be used again', async () => {
  const { id } = await create(SLACK);

  await under.webhooks.configs.remove(owner, org, id);

  expect(await under.row(id)).toMatchObject({ provider_base_url: SHOWN, target_ct: Buffer.alloc(0) });
  expect((await create(SLACK)).provider_base_url).toBe(SHOWN);
});

test('a URL that no key decrypts does not prevent the creation of another', async () => {
  const { id } = await create(SLACK);
  const target_ct = createSealer([randomBytes(32)]).seal(Buffer.from(SLACK), `webhook_configs.target_ct|${org}|${id}`);
  await under.database.admin_db('webhook_configs').where({ id }).update({ target_ct });

  await expect(create(SLACK)).resolves.toMatchObject({ provider_base_url: SHOWN });
});

test('dpa keys rotate encrypts URLs with the new key', async () => {
  const [new_key, old_key] = [randomBytes(32), Buffer.alloc(32, 7)];
  const { id } = await create(SLACK);
  const column = SEALED_WEBHOOKS.find((one) => one.column === 'target_ct')!;
  const keys = { sealer: createSealer([new_key, old_key]), masterKeys: [new_key, old_key] };

  await reseal({ ...under.database, ...keys }, column);

  const { target_ct } = await under.row(id);
  const opened = createSealer([new_key]).open(target_ct, `webhook_configs.target_ct|${org}|${id}`);
  expect(opened.toString()).toBe(SLACK);
  await under.database.admin_db('webhook_configs').where({ provider: 'generic' }).delete();
});

describe('a URL that an earlier release stored in clear text', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await create(`${under.server.url}/other/secret/path`));
    await under.storeClear(id, `${under.server.url}/clear/secret/path`);
  });

  test('a clear-text URL is shown like an encrypted one, called, and equal to itself', async () => {
    const { provider_base_url } = await under.webhooks.configs.get(org, id);

    expect(provider_base_url).toBe(`http://${under.server.host}/…path`);
    expect((await under.webhooks.configs.list(org, { limit: 9, offset: 0 })).webhook_configs).toMatchObject([
      { provider_base_url },
    ]);
    expect(await under.webhooks.test(org, id)).toMatchObject({ delivered: true });
    await expect(create(`${under.server.url}/clear/secret/path`)).rejects.toMatchObject(TAKEN);
  });

  test('every starting process encrypts clear-text URLs once, and they are still called', async () => {
    await Promise.all(Array.from({ length: 5 }, () => under.webhooks.sealTargets()));

    const row = await under.row(id);
    expect(row.provider_base_url).toBe(`http://${under.server.host}/…path`);
    await under.webhooks.sealTargets();
    expect(await under.row(id)).toEqual(row);
    expect(await under.webhooks.test(org, id)).toMatchObject({ delivered: true });
    await expect(create(`${under.server.url}/clear/secret/path`)).rejects.toMatchObject(TAKEN);
  });

  test('a clear-text URL is deleted with its webhook, before or after its encryption', async () => {
    const deleted_at = new Date();
    await under.database.admin_db('webhook_configs').where({ id }).update({ deleted_at });
    const live = await create(`${under.server.url}/live/secret/path`);
    await under.storeClear(live.id, `${under.server.url}/live/secret/path`);

    await under.webhooks.configs.remove(owner, org, live.id);
    await under.webhooks.sealTargets();

    const wiped = { provider_base_url: `http://${under.server.host}/…path`, target_ct: Buffer.alloc(0) };
    expect([await under.row(id), await under.row(live.id)]).toMatchObject([wiped, wiped]);
  });

  test('a clear-text URL is found on any page among hundreds of others', async () => {
    const row = await under.row(id);
    const { target_ct: _none, ...clear } = row;
    const rows = Array.from({ length: 250 }, (_, n) => ({
      ...clear,
      id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      provider_base_url: `https://hooks.example.com/secret-of-number-${n}`,
    }));
    await under.database.admin_db.batchInsert('webhook_configs', rows);

    await under.webhooks.sealTargets();

    const left = await under.database.admin_db('webhook_configs').where('provider_base_url', 'like', '%secret%');
    expect(left).toEqual([]);
  });
});

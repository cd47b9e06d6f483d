import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { LlmConfig } from '../../../server/domains/llm/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { minutesLater, outcomes } from '../orgs/setup.ts';
import { failure, type LlmUnderTest, MASTER_KEY, OWN, PLATFORM, REQUEST, setUpLlm } from './setup.ts';

const NOON = new Date('2026-05-01T12:00:00.000Z');
const AZURE: LlmConfig = {
  provider: 'azure_openai',
  azure_endpoint: 'https://acme.openai.azure.com',
  azure_deployment: 'gpt',
  azure_api_key: 'azure-CANARY',
};

let at: LlmUnderTest;
let org: string;
let owner: Principal;
beforeAll(async () => {
  at = await setUpLlm();
});
afterAll(() => at.closeAll());
beforeEach(async () => {
  at.clock.now = NOON;
  at.provider.script = ['answer'];
  at.provider.asked = [];
  ({ org, owner } = await at.makeOwner());
});

const sealed = (org_id: string) => at.database.admin_db('llm_configs').where({ org_id });

describe('a model account', () => {
  test('an account is stored, shown without its secrets, and reported as created once', async () => {
    const created = await at.llm.configs.put(owner, org, OWN);
    at.clock.now = minutesLater(NOON, 1);
    const updated = await at.llm.configs.put(owner, org, { provider: 'gemini', api_key: 'CANARY' });

    expect(created).toEqual({ provider: 'openai', created_at: NOON, updated_at: NOON, last_validated_at: null });
    expect(updated).toEqual({ ...created, provider: 'gemini', updated_at: minutesLater(NOON, 1) });
    expect(await at.llm.configs.get(org)).toEqual(updated);
    expect(at.audit.selectEvents(org).map(({ action, detail }) => [action, detail])).toEqual([
      ['llm_config.created', { provider: 'openai' }],
      ['llm_config.updated', { provider: 'gemini' }],
    ]);
  });

  test('an account replaces the previous one entirely', async () => {
    await at.llm.configs.put(owner, org, OWN);
    await at.llm.configs.put(owner, org, { provider: 'openai', api_key: 'another' });

    expect(await at.llm.configs.open(org)).toMatchObject({ config: { provider: 'openai', api_key: 'another' } });
    expect((await at.llm.configs.open(org)) as object).not.toHaveProperty('config.model');
  });

  test('no row of the database contains the account in clear text', async () => {
    await at.llm.configs.put(owner, org, OWN);
    const { rows: tables } = await at.database.admin_db.raw(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );

    for (const { relname } of tables) {
      const { rows } = await at.database.admin_db.raw(`select t::text as text from ${relname} t`);
      expect(rows.filter(({ text }: { text: string }) => /canary/i.test(text))).toEqual([]);
    }
    const [{ config_ct }] = await sealed(org);
    expect(config_ct.toString('latin1')).not.toMatch(/CANARY|openai|model/);
  });

  test('a deleted account is not found', async () => {
    await at.llm.configs.put(owner, org, OWN);
    await at.llm.configs.remove(owner, org);

    await expect(at.llm.configs.get(org)).rejects.toMatchObject({ status: 404 });
    await expect(at.llm.configs.remove(owner, org)).rejects.toMatchObject({ status: 404 });
    expect(await sealed(org)).toEqual([]);
    expect(at.audit.selectEvents(org).at(-1)).toMatchObject({
      action: 'llm_config.deleted',
      detail: { provider: 'openai' },
    });
  });

  test.each([
    'http://acme.example.com',
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://10.0.0.1',
  ])('an Azure account with the endpoint %s is rejected', async (azure_endpoint) => {
    await expect(at.llm.configs.put(owner, org, { ...AZURE, azure_endpoint })).rejects.toMatchObject({
      status: 400,
      error_class: 'url_not_allowed',
    });
    expect(await sealed(org)).toEqual([]);
  });

  test.each(['https://a.openai.azure.com/?api-key=k', 'https://a.openai.azure.com/#k'])(
    'an Azure account whose endpoint has a query or a fragment is rejected',
    async (azure_endpoint) => {
      await expect(at.llm.configs.put(owner, org, { ...AZURE, azure_endpoint })).rejects.toMatchObject({
        status: 400,
        message: 'azure_endpoint must not contain a query or a fragment: remove "?" or "#" and what follows',
      });
      expect(await sealed(org)).toEqual([]);
    },
  );
});

describe('the model that is called', () => {
  const ask = (llm = at.llm) => llm.ask({ org_id: org, request: REQUEST, signal: new AbortController().signal });

  test("the platform's model is called until the organization has its own", async () => {
    await ask();
    await at.llm.configs.put(owner, org, OWN);
    await ask();

    expect(at.provider.asked.map(({ config }) => config)).toEqual([PLATFORM, OWN]);
  });

  test('no model is called if the record came from another organization', async () => {
    const other = await at.makeOwner();
    await at.llm.configs.put(owner, org, OWN);
    await at.llm.configs.put(other.owner, other.org, { ...OWN, api_key: 'theirs' } as LlmConfig);
    const [theirs] = await sealed(other.org);
    await sealed(org).update({ config_ct: theirs.config_ct });

    expect(await ask()).toEqual({ skipped: 'decrypt_failed', call: null });
    expect(at.provider.asked).toEqual([]);
  });

  test('no model is called if the record is that of another provider', async () => {
    await at.llm.configs.put(owner, org, OWN);
    await sealed(org).update({ provider: 'gemini' });

    expect(await ask()).toEqual({ skipped: 'decrypt_failed', call: null });
  });

  test('no model is called if the master key is not available', async () => {
    await at.llm.configs.put(owner, org, OWN);
    const [other, both] = [Buffer.alloc(32, 9), [Buffer.alloc(32, 9), MASTER_KEY]];

    expect(await ask(at.instance({ master_keys: [other] }))).toEqual({ skipped: 'key_unavailable', call: null });
    expect(await ask(at.instance({ master_keys: both }))).toMatchObject({ billed_to: 'org' });
  });
});

describe('validating an account', () => {
  test('a validation records that the account responded, until the account is changed', async () => {
    await at.llm.configs.put(owner, org, OWN);

    expect(await at.llm.validations.validate(org)).toEqual({ valid: true, error_class: null, checked_at: NOON });
    expect((await at.llm.configs.get(org)).last_validated_at).toEqual(NOON);
    expect((await at.llm.configs.put(owner, org, OWN)).last_validated_at).toBeNull();
  });

  test.each(['auth', 'rate_limited', 'unavailable', 'timeout', 'rejected'] as const)(
    'a validation reports %s after one attempt and records nothing',
    async (error_class) => {
      await at.llm.configs.put(owner, org, OWN);
      at.provider.script = [failure(error_class)];

      expect(await at.llm.validations.validate(org)).toEqual({ valid: false, error_class, checked_at: NOON });
      expect(at.provider.asked).toHaveLength(1);
      expect((await at.llm.configs.get(org)).last_validated_at).toBeNull();
    },
  );

  test('a validation without an account is 404', async () => {
    await expect(at.llm.validations.validate(org)).rejects.toMatchObject({ status: 404 });
    expect(at.provider.asked).toEqual([]);
  });

  test('ten validations an hour are allowed, also concurrently', async () => {
    await at.llm.configs.put(owner, org, OWN);

    const counted = await outcomes(Array.from({ length: 14 }, () => at.llm.validations.validate(org)));

    expect(counted).toEqual({ ok: 10, llm_validate_rate_limited: 4 });
    at.clock.now = minutesLater(NOON, 60);
    expect(await at.llm.validations.validate(org)).toMatchObject({ valid: true });
  });
});

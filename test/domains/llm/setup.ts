import { pino } from 'pino';
import { createEgress } from '../../../server/adapters/egress/index.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer, openOrgDatabase } from '../../../server/db/index.ts';
import { createLlm, type Llm, type LlmConfig } from '../../../server/domains/llm/index.ts';
import { type LlmAnswer, LlmError, type LlmErrorClass, type LlmRequest } from '../../../server/domains/llm/types.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { type OrgsUnderTest, setUpOrgs } from '../orgs/setup.ts';

export const MASTER_KEY = Buffer.alloc(32, 7);
export const PLATFORM: LlmConfig = { provider: 'anthropic', api_key: 'platform-key' };
export const OWN: LlmConfig = { provider: 'openai', api_key: 'sk-own-CANARY-0123456789', model: 'canary-model' };

export const REQUEST: LlmRequest = {
  system: 'system',
  user: 'user',
  schema: { name: 'answer', description: 'An answer.', json: { type: 'object' } },
  max_output_tokens: 100,
};

export function failure(error_class: LlmErrorClass, retry_after: number | null = null): LlmError {
  return new LlmError(error_class, `the provider said ${error_class}`, { retry_after });
}

/** A provider with scripted responses, one per attempt; the last one repeats. */
export interface FakeProvider {
  script: (LlmError | 'answer')[];
  asked: { config: LlmConfig; request: LlmRequest }[];
}

const ANSWER: LlmAnswer = { text: '{}', model: 'fake-1', input_tokens: 10, output_tokens: 5 };

export interface LlmUnderTest extends OrgsUnderTest {
  llm: Llm;
  provider: FakeProvider;
  /** Another process on the same database, with its own pool. */
  instance(options?: { master_keys?: Buffer[]; platform?: LlmConfig | null }): Llm;
  makeOwner(plan?: 'free' | 'team' | 'enterprise'): Promise<{ owner: Principal; org: string }>;
  setLimit(org: string, name: 'llm_weekly' | 'llm_hourly', value: number): Promise<void>;
  /** Reserves quota for a job and writes the job, as a request does. @returns its id */
  reserveJob(org: string, owner: Principal, by?: Llm): Promise<string>;
  used(org: string): Promise<Record<string, number>>;
  closeAll(): Promise<void>;
}

export async function setUpLlm(): Promise<LlmUnderTest> {
  const base = await setUpOrgs();
  const { database, clock, orgs, audit } = base;
  const provider: FakeProvider = { script: ['answer'], asked: [] };
  const pools: { close(): Promise<void> }[] = [];

  function instance({ master_keys = [MASTER_KEY], platform = PLATFORM }: Parameters<LlmUnderTest['instance']>[0] = {}) {
    const pool = openOrgDatabase({ url: database.url, max: 10, log: pino({ level: 'silent' }) });
    pools.push(pool);
    return createLlm({
      db: pool.db,
      platform_db: database.platform_db,
      sweep_db: database.sweeper_db,
      sealer: createColumnSealer(createSealer(master_keys), SEALED_COLUMNS),
      audit,
      orgs,
      assertPublicUrl: createEgress().assertPublicUrl,
      openClient: async (config) => ({
        model: 'fake',
        async ask(request) {
          provider.asked.push({ config, request });
          const next = provider.script.length > 1 ? provider.script.shift() : provider.script[0];
          if (next instanceof LlmError) throw next;
          return ANSWER;
        },
      }),
      platform,
      app_url: 'https://dpa.example.com/',
      now: () => clock.now,
    });
  }

  const llm = instance();

  return {
    ...base,
    llm,
    provider,
    instance,
    async makeOwner(plan = 'free') {
      const owner = await makeUser(database.admin_db);
      return { owner, org: await makeOrg(database.admin_db, { owner, plan }) };
    },
    async setLimit(org_id, name, value) {
      await database.admin_db('org_limits').insert({ org_id, name, value });
    },
    async reserveJob(org, owner, by = llm) {
      const id = newId();
      await database.db.inOrg(org, async (trx) => {
        const reservation = await by.quotas.reserve(trx, org);
        const row = { id, org_id: org, kind: 'analyze', created_by: owner.user.id, ...reservation };
        await trx('llm_jobs').insert(row);
      });
      return id;
    },
    async used(org_id) {
      const rows = await database
        .admin_db('llm_quota_buckets')
        .where({ org_id })
        .select('kind', 'window_start', 'used');
      return Object.fromEntries(rows.map((row) => [`${row.kind} ${row.window_start.toISOString()}`, row.used]));
    },
    async closeAll() {
      await Promise.all(pools.map((pool) => pool.close()));
      await database.close();
    },
  };
}

import type { ServiceDeps } from '../../contract/service-deps.ts';
import { lockOrg } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit, hourBefore } from '../../lib/hourly-limit.ts';
import { deleteBreakers } from './breaker-store.ts';
import type { LlmConfigs } from './config-service.ts';
import * as store from './config-store.ts';
import { type LlmConfig, LlmError, type LlmErrorClass, type LlmRequest, type OpenLlmClient } from './types.ts';

const TIMEOUT_MS = 30_000;
/** Limited because each validation costs the organization a call, and could be used to test credentials. */
const LIMIT: HourlyLimit = {
  most: 10,
  message: 'an account can be validated at most 10 times an hour; try again later',
  error_class: 'llm_validate_rate_limited',
};

/** The smallest prompt that is sent like every other. */
const TEST_REQUEST: LlmRequest = {
  system: 'You check a connection. Answer with the JSON object that is asked for and nothing else.',
  user: 'Set ok to true.',
  schema: {
    name: 'connection_check',
    description: 'Whether the connection works.',
    json: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
  },
  max_output_tokens: 64,
};

export interface ValidationsDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'> {
  configs: Pick<LlmConfigs, 'open'>;
  openClient: OpenLlmClient;
}

export interface ConfigCheck {
  valid: boolean;
  error_class: Exclude<LlmErrorClass, 'cancelled' | 'refused'> | 'decrypt_failed' | 'key_unavailable' | null;
  checked_at: Date;
}

export function createValidations({ db, sweep_db, configs, openClient, now }: ValidationsDeps) {
  /**
   * Calls the organization's own account with a short prompt, at most ten times an hour. A successful call closes the
   * breaker.
   *
   * @throws NotFound if none is configured; TooManyRequests `llm_validate_rate_limited`
   */
  async function validate(orgId: string): Promise<ConfigCheck> {
    const opened = await configs.open(orgId);
    if (opened.kind === 'unreadable') return { valid: false, error_class: opened.skip_reason, checked_at: now() };
    if (opened.kind !== 'byok') throw new NotFound();
    await count(orgId);
    const error_class = await testConnection(opened.config);
    const checked_at = now();
    if (error_class === null) await recordValid(orgId, opened, checked_at);
    return { valid: error_class === null, error_class, checked_at };
  }

  async function count(orgId: string): Promise<void> {
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const at = now();
      await assertHourlyLimit(LIMIT, at, (range) => store.findNthValidation(trx, orgId, range));
      await store.insertValidation(trx, orgId, at);
    });
  }

  async function recordValid(
    orgId: string,
    { config, updated_at }: { config: LlmConfig; updated_at: Date },
    at: Date,
  ): Promise<void> {
    await db.inOrg(orgId, async (trx) => {
      await store.setValidated(trx, orgId, updated_at, at);
      await deleteBreakers(trx, orgId, config.provider);
    });
  }

  async function testConnection(config: LlmConfig): Promise<ConfigCheck['error_class']> {
    try {
      const client = await openClient(config);
      await client.ask(TEST_REQUEST, AbortSignal.timeout(TIMEOUT_MS));
      return null;
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      if (error.error_class === 'cancelled') return 'timeout';
      // A model that declines was reached, and accepted the account.
      return error.error_class === 'refused' ? null : error.error_class;
    }
  }

  async function deleteOldCounts(): Promise<void> {
    await store.deleteValidations(sweep_db, hourBefore(now()));
  }

  return { validate, deleteOldCounts };
}

export type Validations = ReturnType<typeof createValidations>;

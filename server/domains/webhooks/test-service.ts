import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { Orgs } from '../orgs/index.ts';
import * as store from './outbound-store.ts';
import { PAYLOAD_COLUMN } from './seals.ts';
import type { Send } from './send-service.ts';
import { type Attempt, buildEnvelope } from './sending.ts';
import type { Tokens } from './token-service.ts';

const PING = 'webhook.ping';
const LIMIT: HourlyLimit = {
  most: 10,
  message: 'a webhook can be tested at most 10 times an hour; try again later',
  error_class: 'webhook_test_rate_limited',
};

export interface TestsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'get'>;
  tokens: Pick<Tokens, 'probe'>;
  send: Send;
}

/** The result of a test. @see openapi.yaml, WebhookTest */
export interface TestResult {
  delivered: boolean;
  /** HTTP status of the server's response; null without a response, and for a repository. */
  status_code: number | null;
  error: string | null;
  duration_ms: number;
}

export function createTests({ db, sealer, orgs, tokens, send, now }: TestsDeps) {
  /**
   * Sends `webhook.ping` to a server once, or validates the token of a repository at its host; recorded among the
   * deliveries.
   *
   * @throws NotFound; TooManyRequests `webhook_test_rate_limited`
   */
  async function test(orgId: string, id: string): Promise<TestResult> {
    const { slug } = await orgs.get(orgId);
    const [at, delivery_id, event_id] = [now(), newId(), `evt_${newId()}`];
    const body = buildEnvelope({ id: event_id, type: PING, created_at: at, org: { id: orgId, slug }, data: {} });
    const config = await begin(orgId, id, { delivery_id, event_id, body, at });
    const attempt =
      config.provider === 'generic' ? await send(orgId, config, { id: event_id, body }) : await ask(orgId, id);
    const { http_status, error, duration_ms } = attempt;
    const delivered = error === null;
    const noted = { status: delivered ? ('delivered' as const) : ('failed' as const), http_status, error, duration_ms };
    const row = { ...noted, next_attempt_at: null, finished_at: now() };
    await db.inOrg(orgId, (trx) => store.noteTest(trx, orgId, delivery_id, row));
    return { delivered, status_code: http_status, error, duration_ms };
  }

  /** Records the test as failed before it runs, so that a crash of this process leaves no pending message. */
  async function begin(
    orgId: string,
    config_id: string,
    { delivery_id, event_id, body, at }: { delivery_id: string; event_id: string; body: string; at: Date },
  ): Promise<store.LockedConfig> {
    return db.inOrg(orgId, async (trx) => {
      const config = assertFound(await store.lockConfig(trx, orgId, config_id));
      await assertHourlyLimit(LIMIT, at, (range) => store.findNthSent(trx, orgId, config_id, PING, range));
      await store.insertSent(trx, orgId, {
        id: delivery_id,
        config_id,
        provider_delivery_id: event_id,
        event: PING,
        status: 'failed',
        error: 'the test was interrupted',
        payload_ct:
          config.provider === 'generic'
            ? sealer.seal(PAYLOAD_COLUMN, { org_id: orgId, id: delivery_id }, Buffer.from(body))
            : null,
        next_attempt_at: null,
        created_at: at,
        finished_at: at,
      });
      return config;
    });
  }

  async function ask(orgId: string, id: string): Promise<Attempt> {
    const begun = now();
    const probe = await tokens.probe(orgId, id);
    const duration_ms = now().getTime() - begun.getTime();
    return { http_status: null, error: describeProblem(probe), duration_ms, retry_after_ms: null };
  }

  return { test };
}

function describeProblem(probe: Awaited<ReturnType<Tokens['probe']>>): string | null {
  if (probe === undefined) return 'there is no api_token; set one';
  return probe.status === 'active' ? null : `api_token: ${probe.problem}`;
}

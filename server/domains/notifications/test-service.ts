import type { ServiceDeps } from '../../contract/service-deps.ts';
import { assertFound } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { findNthTest, insertEnded } from './deliveries-store.ts';
import { describeTest } from './message.ts';
import { openUrl } from './seals.ts';
import { findPlace, findTarget } from './targets-store.ts';
import type { Medium, NotificationTarget, SendOutcome } from './types.ts';

const EVENT = 'webhook.ping';
const LIMIT: HourlyLimit = {
  most: 10,
  message: 'a target can be tested at most 10 times an hour; try again later',
  error_class: 'webhook_test_rate_limited',
};

export interface TestsDeps extends Pick<ServiceDeps, 'db' | 'sealer' | 'now'> {
  orgs: Pick<Orgs, 'get'>;
  webhooks: Pick<Webhooks, 'test'>;
  media: Readonly<Record<'slack' | 'teams' | 'email', Medium>>;
}

/** The result of a test. @see openapi.yaml, WebhookTest */
export interface TestResult {
  delivered: boolean;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
}

export function createTests({ db, sealer, orgs, webhooks, media, now }: TestsDeps) {
  /**
   * Sends a test message once, also to a disabled target.
   *
   * @throws NotFound; TooManyRequests `webhook_test_rate_limited`
   */
  async function test(org_id: string, id: string): Promise<TestResult> {
    const target = assertFound(await db.readInOrg(org_id, (read) => findTarget(read, org_id, id)));
    if (target.webhook_config_id !== null) return webhooks.test(org_id, target.webhook_config_id);
    const begun = now();
    await db.inOrg(org_id, (trx) =>
      assertHourlyLimit(LIMIT, begun, (range) => findNthTest(trx, org_id, id, EVENT, range)),
    );
    const delivery_id = newId();
    const outcome = await send(org_id, target, delivery_id);
    const duration_ms = now().getTime() - begun.getTime();
    const delivered = outcome.status === 'delivered';
    const error = outcome.status === 'delivered' ? null : outcome.error;
    const { http_status } = outcome;
    const route = { target_id: id, kind: target.kind, channel: target.channel };
    await db.inOrg(org_id, (trx) =>
      insertEnded(trx, org_id, route, {
        ...{ id: delivery_id, event_id: null, event: EVENT, action: 'notice', created_at: begun, finished_at: now() },
        ...{ status: delivered ? 'delivered' : 'failed', http_status, error, duration_ms },
      }),
    );
    return { delivered, status_code: http_status, error, duration_ms };
  }

  async function send(org_id: string, { id, kind }: NotificationTarget, delivery_id: string): Promise<SendOutcome> {
    const { slug } = await orgs.get(org_id);
    const { channel, addresses, url_ct } = assertFound(
      await db.readInOrg(org_id, (read) => findPlace(read, org_id, id)),
    );
    const url = url_ct === null ? null : openUrl(sealer, { org_id, id }, url_ct);
    const sending = { message: describeTest(slug), line: null, ref: null, delivery_id };
    return media[kind as 'slack' | 'teams' | 'email'](org_id, { channel, addresses, url }, sending);
  }

  return { test };
}

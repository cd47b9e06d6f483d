import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Keep, lockOrg } from '../../db/index.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import { computeExpiry, toPairs } from './pairs.ts';
import * as store from './suppressions-store.ts';
import type { LiveSuppression, SuppressionInput, SuppressionRecord } from './types.ts';

/** Every analysis reads all of them. */
const MOST_LIVE = 10_000;
const DAY_MS = 86_400_000;
const RETENTION_DAYS = 400;

export interface SuppressionsDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'> {
  audit: Pick<AuditWriter, 'record'>;
}

/** The current state of a suppression. */
export type SuppressionState = SuppressionRecord & { expired: boolean };

export function createSuppressions({ db, sweep_db, audit, now }: SuppressionsDeps) {
  /**
   * Suppresses each fingerprint at its address. A pair that is already suppressed keeps its id and is updated.
   *
   * @returns one for each pair, in the order of the request
   * @throws InvalidInput `array_length_mismatch`; Conflict `too_many_suppressions`
   */
  async function suppress(
    principal: Principal,
    orgId: string,
    input: SuppressionInput,
    keep?: Keep<SuppressionState[]>,
  ): Promise<SuppressionState[]> {
    const pairs = toPairs(input);
    const { reason, duration, is_false_positive = false } = input;
    const actor_email = principal.user.email;
    const suppressions = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const created_at = now();
      const live = await store.countLive(trx, orgId, created_at);
      if (live + pairs.length > MOST_LIVE) {
        assertRoom(live + pairs.length - (await store.countLiveAmong(trx, orgId, pairs, created_at)));
      }
      await store.archiveEnded(trx, orgId, pairs, created_at);
      const expires_at = computeExpiry(duration, created_at);
      const common = { reason, duration, is_false_positive, suppressed_by: actor_email, created_at, expires_at };
      const stored = await store.upsert(trx, orgId, { pairs, ...common });
      const live_now = stored.map((one) => ({ ...one, expired: false }));
      await keep?.(trx, live_now);
      return live_now;
    });
    const suppression_ids = suppressions.map(({ id }) => id);
    const detail = { suppression_ids, duration, is_false_positive };
    await audit.record({ action: 'plan_noise.suppressed', org_id: orgId, actor_email, detail });
    return suppressions;
  }

  /** One page, newest first; includes expired ones only on request. */
  async function list(
    orgId: string,
    { include_expired }: { include_expired: boolean },
    page: { limit: number; offset: number },
  ): Promise<{ suppressions: SuppressionState[]; total: number }> {
    const at = now();
    const { suppressions, total } = await db.inOrg(orgId, (trx) =>
      store.listSuppressions(trx, orgId, { include_expired, now: at }, page),
    );
    const isExpired = ({ expires_at }: SuppressionRecord) => expires_at !== null && expires_at <= at;
    return { suppressions: suppressions.map((one) => ({ ...one, expired: isExpired(one) })), total };
  }

  /** @throws NotFound, also for one that was already deleted */
  async function remove(principal: Principal, orgId: string, id: string): Promise<void> {
    const removed = await db.inOrg(orgId, (trx) => store.remove(trx, orgId, id, now()));
    if (!removed) throw new NotFound();
    await audit.record({
      action: 'plan_noise.suppression_removed',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { suppression_id: id },
    });
  }

  /** All active suppressions, unordered; at most 10,000. */
  async function listLive(orgId: string): Promise<LiveSuppression[]> {
    return db.readInOrg(orgId, (read) => store.listLive(read, orgId, now()));
  }

  async function deleteEnded(): Promise<void> {
    const before = new Date(now().getTime() - RETENTION_DAYS * DAY_MS);
    await inBatches((limit) => store.deleteEnded(sweep_db, before, limit));
  }

  return { suppress, list, remove, listLive, deleteEnded };
}

function assertRoom(total: number): void {
  if (total <= MOST_LIVE) return;
  throw new Conflict(
    `An organization can have ${MOST_LIVE} active suppressions, but this would make ${total}. Delete those that it no longer needs.`,
    'too_many_suppressions',
  );
}

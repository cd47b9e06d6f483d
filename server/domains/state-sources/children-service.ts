import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db, Keep } from '../../db/index.ts';
import { NotFound, ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import * as childrenStore from './children-store.ts';
import { lockGlob } from './globs-store.ts';
import type { Refresher } from './refresh-service.ts';
import { listChildIds } from './store.ts';
import type { ChildOutcome } from './types.ts';

export const ATTEMPTS = 3;
/** Longer than an attempt takes: after that, its worker has died or the queue has lost it. */
const OVERDUE_AFTER_MS = 10 * 60_000;
const REQUEUED_AT_ONCE = 200;
const KEPT_MS = 7 * 86_400_000;

export interface ChildrenDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db' | 'now'> {
  audit: AuditWriter;
  refresher: Pick<Refresher, 'refreshIfStale'>;
  /** Queues items once `trx` has committed. */
  enqueueItems: (trx: Db, org_id: string, ids: readonly string[]) => Promise<void>;
}

/** Refreshes all sources of a glob with one job each. The rows decide: a job only works on an item without an outcome. */
export function createChildren({ db, platform_db, sweep_db, audit, refresher, enqueueItems, now }: ChildrenDeps) {
  /** @returns how many sources will be fetched. @throws NotFound */
  async function refreshAll(
    principal: Principal,
    orgId: string,
    glob_id: string,
    keep?: Keep<{ queued: number }>,
  ): Promise<{ queued: number }> {
    const queued = await db.inOrg(orgId, async (trx) => {
      if (!(await lockGlob(trx, orgId, glob_id))) throw new NotFound();
      const source_ids = await listChildIds(trx, orgId, glob_id);
      const refresh = { id: newId(), glob_id, queued: source_ids.length, created_at: now() };
      const items = await childrenStore.insertRefresh(trx, orgId, refresh, { source_ids, due_at: overdueAt() });
      if (items.length > 0) await enqueueItems(trx, orgId, items);
      await keep?.(trx, { queued: source_ids.length });
      return source_ids.length;
    });
    const detail = { glob_id, queued };
    const actor_email = principal.user.email;
    await audit.record({ action: 'state_source_glob.children_refresh_triggered', org_id: orgId, actor_email, detail });
    if (queued === 0) await recordCompletion(orgId, { glob_id, refreshed: 0, unchanged: 0, failed: 0 });
    return { queued };
  }

  async function recordCompletion(org_id: string, detail: Completion): Promise<void> {
    await audit.record({ action: 'state_source_glob.children_refresh_completed', org_id, actor_email: '', detail });
  }

  /**
   * Fetches the source of an item, unless it has an outcome already.
   *
   * @throws the failure if another attempt can help
   */
  async function runItem({ org_id, id }: { org_id: string; id: string }): Promise<void> {
    const item = await db.inOrg(org_id, (trx) => childrenStore.beginItem(trx, org_id, id, overdueAt()));
    if (item === undefined) return;
    let outcome: ChildOutcome = 'failed';
    try {
      const { refreshed } = await refresher.refreshIfStale(org_id, item.source_id);
      outcome = refreshed ? 'refreshed' : 'unchanged';
    } catch (error) {
      const is_final = error instanceof ServiceError && error.status < 500;
      if (!is_final && item.attempts < ATTEMPTS) throw error;
    }
    await settle(org_id, item, outcome);
  }

  /** The completion is recorded in the transaction of the last outcome: once, whatever dies. */
  async function settle(org_id: string, item: childrenStore.RefreshItem, outcome: ChildOutcome): Promise<void> {
    await db.inOrg(org_id, async (trx) => {
      const detail = await childrenStore.settleItem(trx, org_id, item, outcome, now());
      if (detail === undefined) return;
      const action = 'state_source_glob.children_refresh_completed';
      await audit.recordIn(trx, { action, org_id, actor_email: '', detail });
    });
  }

  /** Queues items again whose worker died, and fails those that were tried often enough. */
  async function requeueOverdue(): Promise<void> {
    for (const { org_id, id } of await childrenStore.listOverdue(platform_db, now(), REQUEUED_AT_ONCE)) {
      const given_up = await db.inOrg(org_id, async (trx) => {
        const item = await childrenStore.postponeItem(trx, org_id, id, now(), overdueAt());
        if (item === undefined || item.attempts >= ATTEMPTS) return item;
        await enqueueItems(trx, org_id, [id]);
        return undefined;
      });
      if (given_up !== undefined) await settle(org_id, given_up, 'failed');
    }
  }

  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS);
    await inBatches((limit) => childrenStore.deleteOldRefreshes(sweep_db, before, limit));
  }

  function overdueAt(): Date {
    return new Date(now().getTime() + OVERDUE_AFTER_MS);
  }

  return { refreshAll, runItem, requeueOverdue, deleteOld };
}

export type Children = ReturnType<typeof createChildren>;

type Completion = { glob_id: string; refreshed: number; unchanged: number; failed: number };

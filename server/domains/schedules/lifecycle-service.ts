import type { Db } from '../../db/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import { resolveLimits } from '../entitlements/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Clock } from './clock.ts';
import * as firings from './firings-store.ts';
import { afterFailure, afterSuccess } from './outcome.ts';
import * as store from './store.ts';

export interface LifecycleDeps {
  orgs: Pick<Orgs, 'getContract'>;
  audit: Pick<AuditWriter, 'recordIn'>;
  /** Tells the people and servers of a schedule that the service has disabled it, once `trx` has committed. */
  onDisabled(trx: Db, schedule: { org_id: string; id: string }): Promise<void>;
  clock: Clock;
}

/** What other parts of the service change about schedules, in their transactions and under the lock of the organization. */
export function createLifecycle({ orgs, audit, onDisabled, clock }: LifecycleDeps) {
  /** Counts the run of a scan that has ended, and lets runs that wait for the limit of scans go on. */
  async function onScanEnded(trx: Db, { org_id, id }: { org_id: string; id: string }): Promise<void> {
    await firings.wakeWaiting(trx, org_id, await clock(trx));
    const firing_id = await firings.findFiringOfScan(trx, org_id, id);
    if (firing_id !== undefined) await settle(trx, org_id, firing_id);
  }

  /** Counts a run as a success or a failure, once, when all its scans have ended. */
  async function settle(trx: Db, orgId: string, firing_id: string): Promise<void> {
    const progress = await firings.findProgress(trx, orgId, firing_id);
    if (progress === undefined || progress.settled_at !== null) return;
    if (progress.active_count > 0 || progress.try_at !== null) return;
    const now = await clock(trx);
    await firings.updateFiring(trx, orgId, firing_id, { settled_at: now });
    const schedule = await store.lockSchedule(trx, orgId, progress.schedule_id);
    if (schedule === undefined) return;
    const { done_count, error, note } = progress;
    const state =
      done_count > 0 ? afterSuccess(schedule, note) : afterFailure(schedule, error ?? note ?? 'no scan was started');
    await store.saveStates(trx, orgId, [{ ...state, id: schedule.id }], now);
    if (schedule.enabled && !state.enabled) await announce(trx, orgId, [schedule.id]);
  }

  /** Disables the schedules of an account that is deleted. */
  async function onAccountDeleted(trx: Db, { org_id, id }: { org_id: string; id: string }): Promise<void> {
    const disabled = await store.disableOfAccount(trx, org_id, id, 'account_deleted', await clock(trx));
    await announce(trx, org_id, disabled);
  }

  /** Disables the schedules that an organization's limits no longer allow. @see the contract decisions, D51 */
  async function onLimitsChanged(trx: Db, org_id: string): Promise<void> {
    const { schedules: most, schedule_interval: shortest } = resolveLimits(await orgs.getContract(trx, org_id));
    const disabled = await store.disableBeyond(trx, org_id, { most, shortest }, 'plan_limit', await clock(trx));
    await announce(trx, org_id, disabled);
  }

  /** Records and announces that the service itself has disabled schedules; the last statements of a transaction. */
  async function announce(trx: Db, org_id: string, schedule_ids: readonly string[]): Promise<void> {
    for (const id of schedule_ids) await onDisabled(trx, { org_id, id });
    for (const schedule_id of schedule_ids) {
      await audit.recordIn(trx, { action: 'schedule.updated', org_id, actor_email: '', detail: { schedule_id } });
    }
  }

  return { onScanEnded, settle, onAccountDeleted, onLimitsChanged, announce };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import type { CloudScans, ScansStarted } from '../cloud-scans/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Clock } from './clock.ts';
import { toScans } from './decide.ts';
import * as firings from './firings-store.ts';
import { type PlannedScan, planRun } from './run-plan.ts';
import type { Scopes } from './scope-service.ts';
import * as store from './store.ts';
import type { Schedule } from './types.ts';

export interface RunDeps extends Pick<ServiceDeps, 'db'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: Pick<AuditWriter, 'record'>;
  cloudScans: Pick<CloudScans, 'startScheduled'>;
  scanAccess: Pick<CloudAccounts['scanAccess'], 'listExisting' | 'assertRegions' | 'assertScannable'>;
  scopes: Scopes;
  clock: Clock;
}

/** Runs of schedules that people start. */
export function createRun({ db, orgs, audit, cloudScans, scanAccess, scopes, clock }: RunDeps) {
  /**
   * Starts a scan of each account of a schedule that can be scanned, or none. The schedule can be disabled.
   *
   * @throws NotFound; PaymentRequired if the plan does not allow this many scans at a time; Conflict if no account can
   *   be scanned; InvalidInput if the account reads other regions; ServiceError 503
   */
  async function run(
    principal: Principal,
    orgId: string,
    id: string,
    keep?: Keep<ScansStarted>,
  ): Promise<ScansStarted> {
    const started = await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const schedule = assertFound(await store.findSchedule(trx, orgId, id));
      const planned = await plan(trx, orgId, schedule);
      await orgs.assertRoom(trx, orgId, 'concurrent_scans', planned.length);
      const scan_ids = await start(trx, orgId, id, planned);
      const result = { count: scan_ids.length, scan_ids };
      await keep?.(trx, result);
      return result;
    });
    const detail = { schedule_id: id, count: started.count };
    const actor_email = principal.user.email;
    await audit.record({ action: 'schedule.run_triggered', org_id: orgId, actor_email, detail });
    return started;
  }

  async function plan(trx: Db, orgId: string, schedule: Schedule): Promise<PlannedScan[]> {
    const { cloud_account_id, filter_regions } = schedule;
    if (cloud_account_id !== null) {
      const [account] = await scanAccess.listExisting(trx, orgId, [cloud_account_id]);
      if (account === undefined)
        throw new NotFound('the cloud account of the schedule was deleted; choose another one');
      scanAccess.assertRegions(account, filter_regions);
      scanAccess.assertScannable(account);
    }
    const accounts = (await scopes.load(trx, orgId, [schedule]))(schedule);
    const idle = { ...schedule, active_account_ids: [] };
    const { start, note } = planRun({ schedule: idle, accounts, room: Number.POSITIVE_INFINITY });
    if (start.length > 0 || accounts.length === 0) return start;
    throw new Conflict(note ?? 'no account can be scanned', 'cloud_account_invalid');
  }

  async function start(trx: Db, orgId: string, id: string, planned: readonly PlannedScan[]): Promise<string[]> {
    if (planned.length === 0) return [];
    const now = await clock(trx);
    const firing_id = newId();
    const waiting = { waiting_account_ids: [], try_at: null };
    const firing = { id: firing_id, schedule_id: id, due_at: null, fired_at: now, note: null, settled_at: null };
    await firings.insertFirings(trx, orgId, [{ ...firing, ...waiting }]);
    await store.noteRun(trx, orgId, id, now);
    return cloudScans.startScheduled(trx, orgId, toScans(planned, { schedule_id: id, firing_id }, 'manual'));
  }

  return run;
}

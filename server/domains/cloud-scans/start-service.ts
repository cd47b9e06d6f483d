import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, NotFound } from '../../lib/errors.ts';
import { assertHourlyLimit, type HourlyLimit } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { CloudAccounts } from '../cloud-accounts/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { type NewCloudRun, type ScanRun, type Scans, toCiContext } from '../scans/index.ts';
import type { EndScan } from './end-service.ts';
import * as store from './runs-store.ts';
import type { BulkInput, ScanInput, ScansStarted, ScheduledScan } from './types.ts';

/** @see the interface specification, Limits: bulk scans */
const BULK_LIMIT: HourlyLimit = {
  most: 5,
  window_ms: 60_000,
  message: 'an organization can start bulk scans at most 5 times a minute; try again later',
  error_class: 'bulk_scan_rate_limited',
};

export interface StartDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'assertRoom'>;
  audit: Pick<AuditWriter, 'record'>;
  scanAccess: CloudAccounts['scanAccess'];
  scans: Pick<Scans, 'cloudRuns'>;
  /** Queues scans once `trx` has committed. */
  enqueueAll: (trx: Db, org_id: string, ids: readonly string[]) => Promise<void>;
  end: EndScan;
}

type Account = Awaited<ReturnType<CloudAccounts['scanAccess']['list']>>[number];

interface Start {
  scan_type: NewCloudRun['scan_type'];
  filter_regions: readonly string[];
  bulk_id: string | null;
  ci: Parameters<typeof toCiContext>[0];
}

const NO_SCHEDULE = { schedule_id: null, firing_id: null };

/** Starts and cancels scans. */
export function createStart({ db, orgs, audit, scanAccess, scans, enqueueAll, end, now }: StartDeps) {
  /**
   * Starts a scan of one account.
   *
   * @throws NotFound; InvalidInput for a region that the account does not read; PaymentRequired if the organization has
   *   as many scans as its plan allows; Conflict if the account is disabled or invalid; ServiceError 503
   */
  async function create(
    principal: Principal,
    orgId: string,
    { cloud_account_id, filter_regions = [], ci }: ScanInput,
    keep?: Keep<ScanRun>,
  ): Promise<ScanRun> {
    return db.inOrg(orgId, async (trx) => {
      const accounts = await scanAccess.list(trx, orgId, [cloud_account_id]);
      const start = { scan_type: toScanType(principal), filter_regions, bulk_id: null, ci };
      const run = assertFound((await startAll(trx, orgId, accounts, start))[0]);
      await keep?.(trx, run);
      return run;
    });
  }

  /**
   * Starts a scan of one account, unless one of it waits or runs.
   *
   * @returns null then
   * @throws as `create`
   */
  async function createUnlessActive(
    principal: Principal,
    orgId: string,
    cloud_account_id: string,
  ): Promise<ScanRun | null> {
    return db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      if (await store.hasUnfinished(trx, orgId, cloud_account_id)) return null;
      const accounts = await scanAccess.list(trx, orgId, [cloud_account_id]);
      const start = { scan_type: toScanType(principal), filter_regions: [], bulk_id: null, ci: undefined };
      return assertFound((await startAll(trx, orgId, accounts, start))[0]);
    });
  }

  /**
   * Starts a scan of each account, or none.
   *
   * @throws as `create`; TooManyRequests `bulk_scan_rate_limited`
   */
  async function createBulk(
    principal: Principal,
    orgId: string,
    { account_ids = [], filter_regions = [] }: BulkInput,
    keep?: Keep<ScansStarted>,
  ): Promise<ScansStarted> {
    const started = await db.inOrg(orgId, async (trx) => {
      const accounts = await scanAccess.list(trx, orgId, account_ids);
      const start = { scan_type: toScanType(principal), filter_regions, bulk_id: newId(), ci: undefined };
      const runs = await startAll(trx, orgId, accounts, start);
      const result = { count: runs.length, scan_ids: runs.map(({ id }) => id) };
      await keep?.(trx, result);
      return result;
    });
    const actor_email = principal.user.email;
    await audit.record({ action: 'scan.bulk_created', org_id: orgId, actor_email, detail: { ...started } });
    return started;
  }

  async function startAll(
    trx: Db,
    orgId: string,
    accounts: readonly Account[],
    { scan_type, filter_regions, bulk_id, ci }: Start,
  ): Promise<ScanRun[]> {
    for (const account of accounts) scanAccess.assertRegions(account, filter_regions);
    await lockOrg(trx, orgId);
    await orgs.assertRoom(trx, orgId, 'concurrent_scans', accounts.length);
    for (const account of accounts) scanAccess.assertScannable(account);
    if (bulk_id !== null) {
      await assertHourlyLimit(BULK_LIMIT, now(), (range) => store.findNthBulk(trx, orgId, range));
    }
    const common = { ...NO_SCHEDULE, scan_type, filter_regions, bulk_id, ci: toCiContext(ci) };
    return launch(
      trx,
      orgId,
      accounts.map(({ id, provider }) => ({ ...common, id: newId(), cloud_account_id: id, provider })),
    );
  }

  /**
   * Starts the scans of a schedule's run.
   *
   * @param trx holds the lock of the organization, under which limits and accounts were checked
   * @returns the ids of the scans, in the same order
   */
  async function startScheduled(trx: Db, orgId: string, scheduled: readonly ScheduledScan[]): Promise<string[]> {
    const common = { bulk_id: null, ci: toCiContext() };
    const runs = await launch(
      trx,
      orgId,
      scheduled.map((scan) => ({ ...common, ...scan, id: newId() })),
    );
    return runs.map(({ id }) => id);
  }

  async function launch(trx: Db, orgId: string, runs: readonly NewCloudRun[]): Promise<ScanRun[]> {
    const created = await scans.cloudRuns.create(trx, orgId, runs);
    if (created.length > 0) {
      const ids = created.map(({ id }) => id);
      await enqueueAll(trx, orgId, ids);
    }
    return created;
  }

  /**
   * Ends a scan that has not ended.
   *
   * @throws NotFound; Conflict `scan_not_cancelable`
   */
  async function cancel(orgId: string, id: string): Promise<ScanRun> {
    return db.inOrg(orgId, async (trx) => {
      const message = 'The scan was canceled.';
      const canceled = await end(trx, { org_id: orgId, id }, { code: 'cancelled', message, retryable: true });
      if (canceled) return scans.cloudRuns.get(trx, orgId, id);
      const kind = await store.findKind(trx, orgId, id);
      if (kind === undefined) throw new NotFound();
      const problem =
        kind === 'analysis' ? 'the run is an analysis; only scans can be canceled' : 'the scan has already ended';
      throw new Conflict(problem, 'scan_not_cancelable');
    });
  }

  return { create, createUnlessActive, createBulk, startScheduled, cancel };
}

function toScanType({ key }: Principal): 'manual' | 'webhook' {
  return key?.kind === 'integration' ? 'webhook' : 'manual';
}

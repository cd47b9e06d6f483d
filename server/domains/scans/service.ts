import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { assertFound, NotFound } from '../../lib/errors.ts';
import { inBatches } from '../../lib/in-batches.ts';
import { withoutCredentials } from '../../lib/url-credentials.ts';
import { type Plan, resolveEntitlements } from '../entitlements/index.ts';
import * as store from './store.ts';
import type {
  AnalysisOutcome,
  CiContext,
  DriftOutcome,
  LatestAnalysis,
  NewCloudRun,
  ScanError,
  ScanFilter,
  ScanRun,
} from './types.ts';

/** How long rows are kept: pull request comments link to them long after lists omit them. */
const RETENTION_DAYS = { free: 90, paid: 400 };
const DAY_MS = 86_400_000;

export interface ScansDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'> {
  /** The organization's plan, which limits how far back its list goes. */
  getOrgPlan: (orgId: string) => Promise<Plan>;
}

export function createScans({ db, sweep_db, now, getOrgPlan }: ScansDeps) {
  /**
   * One page of an organization's runs, newest first; on the free plan only the last 24 hours are listed and counted.
   */
  async function list(orgId: string, filter: ScanFilter, page: { limit: number; offset: number }) {
    const hours = resolveEntitlements(await getOrgPlan(orgId)).scan_list_window_hours;
    const since = hours === null ? null : new Date(now().getTime() - hours * 3_600_000);
    return db.inOrg(orgId, (trx) => store.listRuns(trx, orgId, filter, { ...page, since }));
  }

  /** @throws NotFound */
  async function get(orgId: string, id: string): Promise<{ run: ScanRun; result_text: string | null }> {
    return db.inOrg(orgId, async (trx) => {
      const run = assertFound(await store.findRun(trx, orgId, id));
      return { run, result_text: await store.findResultText(trx, orgId, id) };
    });
  }

  async function isRun(orgId: string, id: string): Promise<boolean> {
    return db.readInOrg(orgId, (read) => store.isRun(read, orgId, id));
  }

  /** @throws NotFound */
  async function assertExists(orgId: string, id: string): Promise<void> {
    if (!(await isRun(orgId, id))) throw new NotFound();
  }

  /** The lifecycle of an analysis run; each step belongs to the caller's transaction. */
  const analysisRun = {
    create: (trx: Db, orgId: string, ci: CiContext, scan_type: 'manual' | 'webhook' = 'manual'): Promise<ScanRun> =>
      store.insertAnalysisRun(trx, orgId, { scan_type, ci: showable(ci), now: now() }),
    start: (trx: Db, orgId: string, id: string): Promise<void> => store.markRunning(trx, orgId, id, now()),
    get: (trx: Db, orgId: string, id: string): Promise<ScanRun> => store.getRun(trx, orgId, id),
    finish: (trx: Db, orgId: string, id: string, outcome: AnalysisOutcome & { finished_at: Date }): Promise<void> =>
      store.finishRun(trx, orgId, id, outcome),
    fail: (trx: Db, orgId: string, id: string, error: ScanError): Promise<void> =>
      store.failRun(trx, orgId, id, error, now()),
    /** The status of an analysis, and its result while that is stored; undefined if there is no such analysis. */
    result: (
      orgId: string,
      id: string,
    ): Promise<{ status: ScanRun['status']; result_text: string | null } | undefined> =>
      db.readInOrg(orgId, (read) => store.findAnalysisResult(read, orgId, id)),
    /** The result of the analysis that ended at exactly this time; null if it no longer exists. */
    resultFinishedAt: (orgId: string, at: Date): Promise<string | null> =>
      db.readInOrg(orgId, (read) => store.findResultTextFinishedAt(read, orgId, at)),
    resultText: (orgId: string, id: string): Promise<string | null> =>
      db.readInOrg(orgId, (read) => store.findResultText(read, orgId, id)),
  };

  /** The rows of scans of cloud accounts; each step belongs to the caller's transaction. */
  const cloudRuns = {
    /** @returns in the same order */
    create: (trx: Db, orgId: string, runs: readonly NewCloudRun[]): Promise<ScanRun[]> =>
      store.insertCloudRuns(
        trx,
        orgId,
        runs.map((run) => ({ ...run, ci: showable(run.ci) })),
        now(),
      ),
    get: (trx: Db, orgId: string, id: string): Promise<ScanRun> => store.getRun(trx, orgId, id),
  };

  /**
   * When repositories were last analyzed, and the results.
   *
   * @param repos `owner/name`
   * @returns by that name, without those that were never analyzed
   */
  async function findLatestByRepository(
    orgId: string,
    repos: readonly string[],
  ): Promise<Map<string, Pick<LatestAnalysis, 'last_analysis_at' | 'last_risk_level'>>> {
    const rows = await db.readInOrg(orgId, (read) => store.listLatest(read, orgId, repos));
    return new Map(rows.map(({ repo, ...latest }) => [repo, latest]));
  }

  async function deleteExpired(): Promise<void> {
    const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
    const before = { free: daysAgo(RETENTION_DAYS.free), paid: daysAgo(RETENTION_DAYS.paid) };
    await inBatches(async (limit) => {
      const ids = await store.listExpiredRuns(sweep_db, before, limit);
      return sweep_db.transaction((trx) => store.deleteRuns(trx, ids));
    });
  }

  /** The drift of scans of cloud accounts. */
  const drift = {
    /** @throws NotFound, also for an analysis */
    getCloudScan: async (orgId: string, id: string) =>
      assertFound(await db.readInOrg(orgId, (read) => store.findCloudRun(read, orgId, id))),
    recordDrift: (trx: Db, orgId: string, id: string, outcome: DriftOutcome): Promise<void> =>
      store.updateDrift(trx, orgId, id, outcome),
    recordNarrative: (
      trx: Db,
      orgId: string,
      id: string,
      narrative_status: ScanRun['narrative_status'],
    ): Promise<void> => store.updateNarrativeStatus(trx, orgId, id, narrative_status),
    recordDriftFailure: (orgId: string, id: string): Promise<void> =>
      db.inOrg(orgId, (trx) => store.updateDrift(trx, orgId, id, { drift_status: 'failed' })),
  };

  return { drift, list, get, isRun, assertExists, analysisRun, cloudRuns, findLatestByRepository, deleteExpired };
}

export type Scans = ReturnType<typeof createScans>;

/**
 * CI systems clone with a token in the URL. The request must not fail because of it, and the token must not be stored.
 */
function showable(ci: CiContext): CiContext {
  return { ...ci, repo_url: ci.repo_url === null ? null : (withoutCredentials(ci.repo_url) ?? null) };
}

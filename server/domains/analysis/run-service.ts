import type { OrgDatabase } from '../../db/index.ts';
import { repoOf } from '../../lib/repo.ts';
import type { Logger } from '../../log.ts';
import type { Noise } from '../noise/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { Rules } from '../rules/index.ts';
import { type ScanError, type Scans, scanRunRecord } from '../scans/index.ts';
import { payloadAad } from './payload.ts';
import * as store from './store.ts';
import type { AnalyzedPlan, Claim, OrgJudgement, PlanBlobs, PlanFault, PlanPool, Sealer } from './types.ts';

/** A job that has been begun this often is ended in error; lost workers count as attempts. */
export const MAX_ATTEMPTS = 5;
const JOB_TIMEOUT_MS = 600_000;

export interface AnalysisRunnerDeps {
  db: OrgDatabase;
  now: () => Date;
  log: Logger;
  scans: Scans;
  orgs: Pick<Orgs, 'noiseKey'>;
  rules: Pick<Rules, 'forAnalysis'>;
  noise: Pick<Noise, 'liveSuppressions' | 'record'>;
  blobs: PlanBlobs;
  sealer: Sealer;
  pool: PlanPool;
  /** How often a running job says that it is alive. */
  heartbeat_ms: number;
}

const BROKEN: Failure = {
  error_class: 'internal',
  message: 'The analysis could not be completed. Submit the plan again.',
};

interface Failure {
  error_class: PlanFault['error_class'] | 'internal';
  message: string;
}

export function createAnalysisRunner(deps: AnalysisRunnerDeps) {
  const { db, now, log, scans, orgs, rules, noise, blobs, sealer, pool } = deps;

  /**
   * Works off one job. Safe to call twice: a job that is not pending is left alone, and a claim that was lost
   * meanwhile writes nothing.
   *
   * @throws whatever a later attempt may get over; faults of the plan end the job instead
   */
  async function run(payload: { org_id: string; id: string }, shutdown: AbortSignal): Promise<void> {
    const claim = await takeJob(payload);
    if (claim === undefined) return;

    const lost = new AbortController();
    const heart = setInterval(() => void keepAlive(claim, lost), deps.heartbeat_ms);
    try {
      const signal = AbortSignal.any([lost.signal, shutdown, AbortSignal.timeout(JOB_TIMEOUT_MS)]);
      const outcome = await analyze(claim, signal);
      if ('message' in outcome) await fail(claim, outcome);
      else await finish(claim, outcome);
    } catch (error) {
      if (lost.signal.aborted) return;
      await giveBack(claim, error);
    } finally {
      clearInterval(heart);
    }
  }

  async function takeJob({ org_id, id }: { org_id: string; id: string }): Promise<Claim | undefined> {
    return db.inOrg(org_id, async (trx) => {
      const claim = await store.claimJob(trx, org_id, id, now());
      if (claim !== undefined) await scans.analysisRun.start(trx, org_id, claim.scan_run_id);
      return claim;
    });
  }

  async function keepAlive(claim: Claim, lost: AbortController): Promise<void> {
    try {
      const held = await db.inOrg(claim.org_id, (trx) => store.beat(trx, claim, now()));
      if (!held) lost.abort();
    } catch (error) {
      log.warn({ err: error, job_id: claim.id }, 'heartbeat not written');
    }
  }

  async function analyze(claim: Claim, signal: AbortSignal): Promise<AnalyzedPlan | Failure> {
    const sealed = await blobs.get(claim.payload_key);
    if (sealed === undefined) return BROKEN;
    const payload = sealer.open(sealed, payloadAad(claim.org_id, claim.id));
    const outcome = await pool.analyze(payload, await judgementOf(claim), signal);
    return 'fault' in outcome ? outcome.fault : outcome;
  }

  async function judgementOf({ org_id, scan_run_id }: Claim): Promise<OrgJudgement> {
    const [noise_key, in_force, suppressions, run] = await Promise.all([
      orgs.noiseKey(org_id),
      rules.forAnalysis(org_id),
      noise.liveSuppressions(org_id),
      db.readInOrg(org_id, (read) => scans.analysisRun.get(read, org_id, scan_run_id)),
    ]);
    const context = { repo: repoOf(run.repo_owner, run.repo_name), branch: run.branch, now: now() };
    return { noise_key, rules: { ...in_force, suppressions }, context };
  }

  async function finish(claim: Claim, analyzed: AnalyzedPlan): Promise<void> {
    const finished_at = now();
    const done = await db.inOrg(claim.org_id, async (trx) => {
      if (!(await store.finishJob(trx, claim, { status: 'done' }, finished_at))) return false;
      const run = await scans.analysisRun.get(trx, claim.org_id, claim.scan_run_id);
      const { provider, resource_count } = analyzed;
      const outcome = { provider, resource_count, narrative_status: 'fallback' as const, finished_at };
      const scan_run = JSON.stringify(scanRunRecord({ ...run, ...outcome, status: 'done' }));
      const result_json = `${analyzed.text.slice(0, -1)},"scan_run":${scan_run},"trace_ids":[]}`;
      await scans.analysisRun.finish(trx, claim.org_id, claim.scan_run_id, { ...outcome, result_json });
      const { repo_owner, repo_name, commit_sha } = run;
      const seen = { scan_run_id: claim.scan_run_id, repo_owner, repo_name, commit_sha, seen_at: finished_at };
      await noise.record(trx, claim.org_id, seen, analyzed.occurrences);
      return true;
    });
    if (done) await blobs.delete(claim.payload_key);
  }

  /** Ends the job and its scan run in error, unless the claim was lost. */
  async function fail(claim: Claim, { error_class, message }: Failure): Promise<void> {
    const ended = await db.inOrg(claim.org_id, async (trx) => {
      const end = { status: 'error' as const, error: message, error_class };
      if (!(await store.finishJob(trx, claim, end, now()))) return false;
      await scans.analysisRun.fail(trx, claim.org_id, claim.scan_run_id, scanError({ error_class, message }));
      return true;
    });
    if (ended) await blobs.delete(claim.payload_key);
  }

  async function giveBack(claim: Claim, error: unknown): Promise<void> {
    log.warn({ err: error, job_id: claim.id, attempts: claim.attempts }, 'analysis attempt failed');
    if (claim.attempts >= MAX_ATTEMPTS) return fail(claim, BROKEN);
    await db.inOrg(claim.org_id, (trx) => store.releaseJob(trx, claim, now()));
    throw error;
  }

  return { run, failExhausted: (claim: Claim): Promise<void> => fail(claim, BROKEN) };
}

export type AnalysisRunner = ReturnType<typeof createAnalysisRunner>;

function scanError({ error_class, message }: Failure): ScanError {
  return {
    code: error_class === 'internal' ? 'internal' : 'parse_error',
    message,
    provider: null,
    region: null,
    service: null,
    resource_type: null,
    retryable: error_class === 'internal',
    count: 1,
  };
}

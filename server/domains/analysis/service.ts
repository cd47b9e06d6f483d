import type { BlobStore } from '../../adapters/blob/types.ts';
import type { PlanIntake } from '../../adapters/plan-pool/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { assertHourlyLimit } from '../../lib/hourly-limit.ts';
import { newId } from '../../lib/ids.ts';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { Sealer } from '../../lib/seal.ts';
import { type Jobs, payloadAad, payloadKey } from '../jobs/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { type Scans, toCiContext } from '../scans/index.ts';
import * as store from './store.ts';
import type { CiInput } from './types.ts';

export interface AnalysisDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  orgs: Pick<Orgs, 'getLimit'>;
  scans: Scans;
  blobs: Pick<BlobStore, 'put' | 'delete'>;
  sealer: Sealer;
  jobs: Pick<Jobs, 'submit'>;
}

export interface Submission {
  ci: CiInput | undefined;
  plan: PlanIntake;
}

/** A job as a caller polls it. */
export interface Submitted {
  job_id: string;
  scan_run_id: string;
  status: 'pending';
}

export function createAnalysis({ db, now, orgs, scans, blobs, sealer, jobs }: AnalysisDeps) {
  /**
   * Accepts a plan: stores it encrypted, and writes the scan run, the job and its outbox row in one transaction.
   *
   * @throws InvalidInput `invalid_plan_json` or `unsupported_plan_version`; ServiceError 402 or 429 of the model quota;
   *   TooManyRequests above the organization's limit in a rolling hour
   */
  async function submit(
    org: OrgContext,
    principal: Principal,
    { ci, plan }: Submission,
    keep?: Keep<Submitted>,
  ): Promise<Submitted> {
    if ('fault' in plan) throw new InvalidInput(plan.fault.message, plan.fault.error_class);
    await assertRoom((work) => db.readInOrg(org.id, work), org.id);

    const job_id = newId();
    const payload_key = payloadKey(org.id, job_id);
    let is_written = false;
    await blobs.put(payload_key, sealer.seal(plan.payload, payloadAad(org.id, job_id)));
    try {
      return await db.inOrg(org.id, async (trx) => {
        await lockOrg(trx, org.id);
        await assertRoom((work) => work(trx), org.id);
        const scan_type = principal.key?.kind === 'integration' ? 'webhook' : 'manual';
        const run = await scans.analysisRun.create(trx, org.id, toCiContext(ci), scan_type);
        await jobs.submit(trx, org.id, {
          id: job_id,
          kind: 'analyze',
          scan_run_id: run.id,
          payload_key,
          subject: null,
          created_by: principal.user.id,
          payload_bytes: plan.payload.byteLength,
        });
        const submitted: Submitted = { job_id, scan_run_id: run.id, status: 'pending' };
        await keep?.(trx, submitted);
        is_written = true;
        return submitted;
      });
    } catch (error) {
      // An unconfirmed commit may have succeeded; if it did not, the sweep deletes the plan.
      if (!is_written) await blobs.delete(payload_key);
      throw error;
    }
  }

  async function assertRoom(ask: <T>(work: (db: Db) => Promise<T>) => Promise<T>, orgId: string): Promise<void> {
    const most = await ask((read) => orgs.getLimit(read, orgId, 'analyses_hourly'));
    if (most === -1) return;
    const message = `this organization can submit ${most === 1 ? 'one analysis' : `${most} analyses`} per hour`;
    await assertHourlyLimit({ most, message, error_class: 'analyze_rate_limited' }, now(), (range) =>
      ask((read) => store.findNthAnalysis(read, orgId, range)),
    );
  }

  return { submit };
}

export type Analysis = ReturnType<typeof createAnalysis>;

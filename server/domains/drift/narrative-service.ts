import {
  buildDriftPrompt,
  type DriftExplanation,
  type ExplainedDrift,
  readDriftAnswer,
  type SendValues,
} from '../../../engine/explain/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Principal } from '../../lib/principal.ts';
import type { TracedModelCalls } from '../analysis/index.ts';
import type { Claim, Failure, Finished, JobHandler, Jobs } from '../jobs/index.ts';
import type { Llm } from '../llm/index.ts';
import type { ScanRun } from '../scans/index.ts';
import { countOpen, listWorst } from './items-store.ts';
import type { DriftSnapshots } from './snapshots-service.ts';
import * as store from './snapshots-store.ts';
import type { StoredSnapshot } from './types.ts';

/** Items that a prompt is chosen from. */
const MOST_EXPLAINED = 200;

export interface NarrativesDeps extends Pick<ServiceDeps, 'db'> {
  snapshots: Pick<DriftSnapshots, 'getLatest'>;
  jobs: Pick<Jobs, 'submit'>;
  modelCalls: Pick<TracedModelCalls, 'ask' | 'sendValues'>;
  models: Pick<Llm['configs'], 'open'>;
  orgs: { get(org_id: string): Promise<{ plan: string }> };
  scans: { recordNarrative(trx: Db, org_id: string, id: string, status: ScanRun['narrative_status']): Promise<void> };
}

type Outcome = Pick<StoredSnapshot, 'narrative' | 'narrative_status' | 'skip_reason' | 'risk_level'>;

/** Lets a language model explain drift. Without one, or without a usable answer, the text of the rules stays. */
export function createNarratives(deps: NarrativesDeps) {
  const { db, snapshots, jobs, modelCalls, models, orgs, scans } = deps;

  /**
   * Asks a model to explain the latest snapshot of a scan again.
   *
   * @throws ServiceError 404 `drift_not_computed`; 402 or 429 of the model's limits
   */
  async function submit(
    org_id: string,
    principal: Principal,
    scan_run_id: string,
    keep?: Keep<{ job_id: string }>,
  ): Promise<{ job_id: string }> {
    const snapshot = await snapshots.getLatest(org_id, scan_run_id);
    return db.inOrg(org_id, async (trx) => {
      const handle = await enqueue(trx, org_id, snapshot, principal.user.id);
      await keep?.(trx, handle);
      return handle;
    });
  }

  /**
   * Asks a model about a new snapshot, if that costs the organization nothing that it has not paid for: its own model, or
   * the quota of a paid plan. Never fails because of a limit.
   *
   * @returns the snapshot, `pending` if a model was asked
   */
  async function offer(org_id: string, snapshot: StoredSnapshot): Promise<StoredSnapshot> {
    if (!(await isOffered(org_id, snapshot))) return snapshot;
    try {
      await db.inOrg(org_id, (trx) => enqueue(trx, org_id, snapshot, null));
      return { ...snapshot, narrative_status: 'pending' };
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 402 || error.status === 429)) return snapshot;
      throw error;
    }
  }

  async function isOffered(org_id: string, snapshot: StoredSnapshot): Promise<boolean> {
    const { changed_count, missing_count, extra_count, ignored_count, narrative_status } = snapshot;
    if (narrative_status === 'ready') return false;
    if (changed_count + missing_count + extra_count === ignored_count) return false;
    const { kind } = await models.open(org_id);
    if (kind === 'none') return false;
    return kind !== 'platform' || (await orgs.get(org_id)).plan !== 'free';
  }

  async function enqueue(trx: Db, org_id: string, { id, scan_run_id }: StoredSnapshot, created_by: string | null) {
    await lockOrg(trx, org_id);
    const job_id = newId();
    const job = {
      id: job_id,
      kind: 'drift-narrative',
      scan_run_id,
      payload_key: null,
      subject: id,
      created_by,
    } as const;
    await jobs.submit(trx, org_id, job);
    await store.updateNarrative(trx, org_id, id, { narrative_status: 'pending' });
    await scans.recordNarrative(trx, org_id, scan_run_id, 'pending');
    return { job_id };
  }

  async function run({ org_id, subject }: Claim, signal: AbortSignal): Promise<Finished | Failure> {
    const snapshot = await db.readInOrg(org_id, (read) => store.findSnapshot(read, org_id, subject ?? ''));
    if (snapshot === undefined) return GONE;
    const drift = await load(org_id, snapshot);
    const send_values = await modelCalls.sendValues(org_id);
    if (send_values === null) return finish(org_id, snapshot, { ...byRules(drift), trace_ids: [], is_billed: false });
    return finish(org_id, snapshot, await explain(org_id, snapshot, { drift, send_values }, signal));
  }

  async function explain(
    org_id: string,
    { scan_run_id }: StoredSnapshot,
    { drift, send_values }: { drift: ExplainedDrift; send_values: SendValues },
    signal: AbortSignal,
  ): Promise<Explained> {
    const { known, ...prompt } = buildDriftPrompt(drift, { send_values });
    const read = async (answer: string) => toUsed(readDriftAnswer(answer, drift, known));
    const reply = await modelCalls.ask({ org_id, scan_run_id, kind: 'drift-narrative', prompt, read }, signal);
    const { trace_ids } = reply;
    if ('used' in reply) {
      const { narrative, risk_level } = reply.used;
      const explained = { narrative, risk_level, narrative_status: 'ready', skip_reason: null } as const;
      return { ...explained, trace_ids, is_billed: reply.is_billed };
    }
    if ('skipped' in reply) {
      const skipped = { ...byRules(drift), narrative_status: 'skipped', skip_reason: reply.skipped } as const;
      return { ...skipped, trace_ids, is_billed: false };
    }
    const reason =
      'fallback' in reply ? reply.fallback : 'the response of the model could not be verified against the comparison';
    return { ...byRules(drift, reason), trace_ids, is_billed: false };
  }

  async function load(org_id: string, snapshot: StoredSnapshot): Promise<ExplainedDrift> {
    const { items_id, matched_count, drift_status, rules_narrative, rules_risk_level } = snapshot;
    const [open, items] =
      items_id === null
        ? [[], []]
        : await Promise.all([
            db.readInOrg(org_id, (read) => countOpen(read, org_id, items_id)),
            db.readInOrg(org_id, (read) => listWorst(read, org_id, items_id, MOST_EXPLAINED)),
          ]);
    const drift: ExplainedDrift = {
      risk_level: rules_risk_level,
      narrative: rules_narrative,
      is_incomplete: drift_status === 'incomplete',
      matched_count,
      counts: { changed: 0, missing: 0, new: 0 },
      by_risk: { none: 0, low: 0, medium: 0, high: 0, critical: 0 },
      items,
    };
    for (const { drift_type, level, count } of open) {
      drift.counts[drift_type] += count;
      drift.by_risk[level] += count;
    }
    return drift;
  }

  function finish(org_id: string, { id, scan_run_id }: StoredSnapshot, explained: Explained): Finished {
    const { trace_ids, is_billed, ...outcome } = explained;
    return {
      is_billed,
      result: JSON.stringify({ drift_snapshot_id: id, scan_run_id, ...outcome, trace_ids }),
      write: (trx) => write(trx, org_id, { id, scan_run_id }, outcome),
    };
  }

  async function write(
    trx: Db,
    org_id: string,
    { id, scan_run_id }: Pick<StoredSnapshot, 'id' | 'scan_run_id'>,
    outcome: Outcome,
  ): Promise<void> {
    await store.updateNarrative(trx, org_id, id, outcome);
    // A newer snapshot of the scan has its own narrative.
    if ((await store.findOfScan(trx, org_id, scan_run_id))?.id === id)
      await scans.recordNarrative(trx, org_id, scan_run_id, outcome.narrative_status);
  }

  /** The text of the rules is shown, as before the model was asked. */
  async function fail(trx: Db, { org_id, subject }: Claim): Promise<void> {
    const snapshot = await store.findSnapshot(trx, org_id, subject ?? '');
    if (snapshot === undefined) return;
    const { rules_narrative: narrative, rules_risk_level: risk_level } = snapshot;
    await write(trx, org_id, snapshot, { narrative, risk_level, narrative_status: 'fallback', skip_reason: null });
  }

  const handler: JobHandler = { begin: async () => {}, run, fail };
  return { submit, offer, handler };
}

export type Narratives = ReturnType<typeof createNarratives>;

type Explained = Outcome & { trace_ids: string[]; is_billed: boolean };

const GONE: Failure = {
  error_class: 'internal',
  message: 'The drift snapshot no longer exists. Compute the drift again.',
};

function byRules({ narrative, risk_level }: ExplainedDrift, reason?: string): Outcome {
  const note =
    reason === undefined ? '' : `\n\nThis summary was written by rules, without a language model: ${reason}.`;
  return { narrative: narrative + note, risk_level, narrative_status: 'fallback', skip_reason: null };
}

function toUsed(read: DriftExplanation | { unusable: string }) {
  return 'unusable' in read ? read : { ...read, parsed: read };
}

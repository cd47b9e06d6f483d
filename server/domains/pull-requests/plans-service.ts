import type { BlobStore } from '../../adapters/blob/types.ts';
import type { Db, OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { SealError, type Sealer } from '../../lib/seal.ts';
import type { Logger } from '../../log.ts';
import { payloadAad, payloadKey } from './payload.ts';
import { type KeptPlan, planRows } from './plan-rows.ts';
import * as store from './plans-store.ts';
import type { FoundPlan, KeptPullRequestPlan, PlanRun, PullRequestPlan } from './types.ts';

export interface PlansDeps {
  db: OrgDatabase;
  blobs: BlobStore;
  sealer: Sealer;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
  /** Records an event of the pull request in the transaction. @throws NotFound */
  markChanged: (trx: Db, orgId: string, pull_request_id: string) => Promise<void>;
}

/** Plans from CI runs, with their bytes while they are needed. */
export function createPlans({ db, blobs, sealer, now, log, markChanged }: PlansDeps) {
  /**
   * Stores the plans of a run, each replacing that of an older run with the same key. A plan equal to one that was
   * analyzed for this pull request reuses its job.
   *
   * @param options `again`: those of the same run are replaced too, and every plan is analyzed again
   * @throws NotFound if the organization has no such pull request
   */
  async function add(
    orgId: string,
    pull_request_id: string,
    run: PlanRun,
    found: readonly FoundPlan[],
    { again = false }: { again?: boolean } = {},
  ): Promise<void> {
    const kept = [...new Map(found.map((plan) => [plan.plan_key, plan])).values()].map((plan) => ({
      ...plan,
      id: newId(),
    }));
    try {
      for (const plan of kept) await putPayload(orgId, plan);
      const unneeded = await db.inOrg(orgId, (trx) => write(trx, orgId, pull_request_id, { run, kept, again }));
      await deletePayloads(unneeded);
    } catch (error) {
      await deletePayloads(kept.map(({ id }) => payloadKey(orgId, id)));
      throw error;
    }
  }

  async function putPayload(orgId: string, { id, payload }: KeptPlan): Promise<void> {
    if (payload === undefined) return;
    await blobs.put(payloadKey(orgId, id), sealer.seal(payload, payloadAad(orgId, id)));
  }

  /** The row of the pull request is locked by the first statement, so runs are written one after the other. */
  async function write(
    trx: Db,
    orgId: string,
    pull_request_id: string,
    { run, kept, again }: { run: PlanRun; kept: readonly KeptPlan[]; again: boolean },
  ): Promise<string[]> {
    await markChanged(trx, orgId, pull_request_id);
    const hashes = kept.flatMap(({ plan_hash }) => plan_hash ?? []);
    const known = await store.listKnown(trx, orgId, pull_request_id, { head_sha: run.head_sha, hashes });
    const { rows, unneeded } = planRows(orgId, run, kept, known, again);
    if (rows.length > 0) await store.upsertPlans(trx, orgId, pull_request_id, rows, now());
    return [...unneeded, ...(await store.supersedeOthers(trx, orgId, pull_request_id, now()))];
  }

  /** The maintenance sweep deletes what cannot be deleted now. */
  async function deletePayloads(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await blobs.delete(key).catch((error) => log.warn({ err: error, key }, 'plan of a pull request not deleted'));
    }
  }

  async function readPayload(orgId: string, { id }: Pick<PullRequestPlan, 'id'>): Promise<Buffer | undefined> {
    const sealed = await blobs.get(payloadKey(orgId, id));
    try {
      return sealed && sealer.open(sealed, payloadAad(orgId, id));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.warn({ err: error, plan_id: id, org_id: orgId }, 'plan of a pull request cannot be decrypted');
      return undefined;
    }
  }

  /** A stored plan with its bytes. @throws NotFound */
  async function getKept(orgId: string, id: string): Promise<KeptPullRequestPlan & { payload: Buffer }> {
    const plan = await db.readInOrg(orgId, (read) => store.findKeptPlan(read, orgId, id));
    const payload = plan && (await readPayload(orgId, plan));
    if (plan === undefined || payload === undefined)
      throw new NotFound('the plan does not exist, or is no longer stored');
    return { ...plan, payload };
  }

  /** The plans to publish: those of the head commit, or of the latest commit with plans. */
  async function find(orgId: string, pull_request_id: string): Promise<PullRequestPlan[]> {
    return db.readInOrg(orgId, (read) => store.listShown(read, orgId, pull_request_id));
  }

  return {
    add,
    find,
    getKept,
    readPayload,
    deletePayload: (orgId: string, id: string) => deletePayloads([payloadKey(orgId, id)]),
  };
}

export type Plans = ReturnType<typeof createPlans>;

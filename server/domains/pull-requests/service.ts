import type { BlobStore } from '../../adapters/blob/types.ts';
import type { Db, OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Sealer } from '../../lib/seal.ts';
import type { Logger } from '../../log.ts';
import { createMaintenance } from './maintenance-service.ts';
import { createPlans } from './plans-service.ts';
import { createRunUnderLease } from './run-under-lease-service.ts';
import * as store from './store.ts';
import type { CommandAnswer, ObservedPullRequest, PullRequest, PullRequestSource } from './types.ts';

/** Longer than an active process can be disconnected from its database. */
const LEASE_MS = 60_000;

export interface PullRequestsDeps {
  db: OrgDatabase;
  platform_db: Db;
  /** Uses the role that can delete expired rows. */
  sweep_db: Db;
  blobs: BlobStore;
  sealer: Sealer;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
  /** Queues a pull request, immediately or for a later time. */
  enqueue: (trx: Db, payload: { org_id: string; id: string }, at?: Date) => Promise<void>;
  /** Records in `trx` that critical plans were approved or merged; only the first time counts. */
  onApproved: (trx: Db, pull_request: { org_id: string; id: string }) => Promise<void>;
  lease_ms?: number;
}

/** Pull requests that the bot comments on: their events and leases. */
export function createPullRequests(deps: PullRequestsDeps) {
  const { db, now, enqueue, onApproved, lease_ms = LEASE_MS } = deps;
  const plans = createPlans({ ...deps, markChanged });

  /**
   * Stores a host's data about a pull request, known or new.
   *
   * @param options `enqueues`: false if plans are added next, which queues it
   */
  async function track(
    orgId: string,
    { config_id, installation_row_id }: PullRequestSource,
    { repo, pr_number, url, state, is_fork, branch, head_sha }: ObservedPullRequest,
    { enqueues = true }: { enqueues?: boolean } = {},
  ): Promise<PullRequest> {
    const source = { config_id, installation_row_id } as PullRequestSource;
    const observed = { ...source, repo, pr_number, url, state, is_fork, branch, head_sha };
    return db.inOrg(orgId, async (trx) => {
      const pull_request = await store.upsertPullRequest(trx, orgId, newId(), observed, now());
      if (enqueues) await enqueue(trx, { org_id: orgId, id: pull_request.id });
      return pull_request;
    });
  }

  async function find(
    orgId: string,
    source: PullRequestSource,
    repo: string,
    pr_number: number,
  ): Promise<PullRequest | undefined> {
    return db.readInOrg(orgId, (read) => store.findPullRequest(read, orgId, source, repo, pr_number));
  }

  async function markChanged(trx: Db, orgId: string, id: string, changes: { is_quiet?: boolean } = {}): Promise<void> {
    if (!(await store.bumpRevision(trx, orgId, id, now(), changes)))
      throw new NotFound('the pull request does not exist');
    await enqueue(trx, { org_id: orgId, id });
  }

  /** @throws NotFound */
  async function setQuiet(orgId: string, id: string, is_quiet: boolean): Promise<void> {
    await db.inOrg(orgId, (trx) => markChanged(trx, orgId, id, { is_quiet }));
  }

  /** Notifies people and servers that a pull request with critical plans was approved or merged, once. */
  async function reportApproval(org_id: string, id: string): Promise<void> {
    await db.inOrg(org_id, (trx) => onApproved(trx, { org_id, id }));
  }

  /**
   * Stores a reply to a command, to be posted; the newest hundred commands are remembered. @returns false if this
   * comment was already answered
   */
  async function addAnswer(orgId: string, id: string, answer: CommandAnswer): Promise<boolean> {
    return db.inOrg(orgId, async (trx) => {
      if (!(await store.insertAnswer(trx, orgId, id, answer, now()))) return false;
      await enqueue(trx, { org_id: orgId, id });
      return true;
    });
  }

  /** In the transaction that ends a job: queues the pull requests that wait for it. */
  async function enqueueWaitingFor(trx: Db, org_id: string, job_id: string): Promise<void> {
    for (const id of await store.bumpRevisionsWaitingFor(trx, org_id, job_id, now()))
      await enqueue(trx, { org_id, id });
  }

  return {
    track,
    find,
    findPlans: plans.find,
    addPlans: plans.add,
    getPlan: plans.getKept,
    setQuiet,
    addAnswer,
    reportApproval,
    enqueueWaitingFor,
    runUnderLease: createRunUnderLease({ ...deps, lease_ms, plans }),
    maintenance: createMaintenance(deps),
  };
}

export type PullRequests = ReturnType<typeof createPullRequests>;

import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/index.ts';
import { LeaseLost } from './lease-lost.ts';
import { keepAlive, type LeaseDeps } from './lease-service.ts';
import * as leases from './lease-store.ts';
import type { Plans } from './plans-service.ts';
import * as plansStore from './plans-store.ts';
import type { HeldPullRequest, PlanChanges, PullRequestChanges, PullRequestPlan } from './types.ts';

/**
 * A wake-up time in the past becomes one in the near future, so that repeating it in every round does not cause a busy
 * loop.
 */
const SOONEST_WAKE_MS = 1_000;

export interface RunUnderLeaseDeps extends LeaseDeps {
  plans: Pick<Plans, 'readPayload' | 'deletePayload'>;
  enqueue: (trx: Db, payload: { org_id: string; id: string }, at?: Date) => Promise<void>;
}

export type Publish = (held: HeldPullRequest) => Promise<void>;

/** Publishes pull requests, each in one process at a time, until all events are processed. */
export function createRunUnderLease(deps: RunUnderLeaseDeps) {
  const { db, now, log, lease_ms, plans, enqueue } = deps;

  /**
   * Publishes a pull request after new events. Does nothing if another process holds it, which then handles the new
   * events, or if there are none.
   *
   * @param publish receives the state at the beginning of each round
   * @throws errors of `publish`; the round counts as not done
   */
  async function runUnderLease(
    payload: { org_id: string; id: string },
    publish: Publish,
    shutdown: AbortSignal,
  ): Promise<void> {
    const lease = { org_id: payload.org_id, id: payload.id, token: randomUUID() };
    if (!(await acquire(lease))) return;
    try {
      await publishAll(lease, publish, shutdown);
    } catch (error) {
      if (error instanceof LeaseLost) return; // the process that has the lease publishes the rest
      await releaseOrExpire(lease);
      throw error;
    }
  }

  async function publishAll(lease: leases.Lease, publish: Publish, shutdown: AbortSignal): Promise<void> {
    const renewal = keepAlive(deps, lease);
    const signal = AbortSignal.any([renewal.signal, shutdown]);
    try {
      do signal.throwIfAborted();
      while (await runRound(lease, publish, signal));
    } finally {
      renewal.stop();
    }
  }

  async function acquire(lease: leases.Lease): Promise<boolean> {
    const at = now();
    const until = new Date(at.getTime() + lease_ms);
    return db.inOrg(lease.org_id, (trx) => leases.takeLease(trx, lease, at, until));
  }

  /** @returns whether there are more events */
  async function runRound(lease: leases.Lease, publish: Publish, signal: AbortSignal): Promise<boolean> {
    const { revision, ...loaded } = await startRound(lease);
    await publish({ ...loaded, ...createWriters(lease, loaded.pull_request), signal });
    const ended = await db.inOrg(lease.org_id, (trx) => leases.endRound(trx, lease, revision, now()));
    return assertHeld(lease, ended).has_more;
  }

  /** Records that a round begins, and returns the state that it starts from. */
  async function startRound(lease: leases.Lease) {
    const { org_id, id } = lease;
    return db.inOrg(org_id, async (trx) => {
      const round = assertHeld(lease, await leases.beginRound(trx, lease));
      const shown = await plansStore.listShown(trx, org_id, id);
      const [first] = shown;
      const previous = first && (await plansStore.listPrevious(trx, org_id, id, first.head_sha));
      return { ...round, plans: shown, previous: previous ?? new Map() };
    });
  }

  function createWriters(lease: leases.Lease, pull_request: HeldPullRequest['pull_request']) {
    const { org_id } = lease;
    return {
      readPayload: (plan: PullRequestPlan) => plans.readPayload(org_id, plan),
      updatePlan: (plan: PullRequestPlan, changes: PlanChanges) => updatePlan(lease, plan, changes),
      async update(changes: PullRequestChanges) {
        const written = await db.inOrg(org_id, (trx) => leases.updatePullRequest(trx, lease, changes));
        if (!written) throw new LeaseLost(lease.id);
        Object.assign(pull_request, changes);
      },
      async markAnswer(comment_id: string, state: 'posting' | 'posted' | 'refused') {
        const written = await db.inOrg(org_id, (trx) => leases.markAnswer(trx, lease, comment_id, state));
        if (!written) throw new LeaseLost(lease.id);
      },
      wakeAt: (at: Date) => wakeAt(lease, at),
    };
  }

  async function updatePlan(lease: leases.Lease, plan: PullRequestPlan, changes: PlanChanges): Promise<void> {
    const { org_id } = lease;
    const status = changes.status ?? plan.status;
    const is_finished = status === 'done' || status === 'failed';
    await db.inOrg(org_id, async (trx) => {
      if (changes.job_id != null) await plansStore.holdJob(trx, org_id, changes.job_id);
      if (!(await leases.keepLease(trx, lease))) throw new LeaseLost(lease.id);
      await plansStore.updatePlan(trx, org_id, plan.id, changes, is_finished ? now() : null);
    });
    Object.assign(plan, changes);
    if (is_finished) await plans.deletePayload(org_id, plan.id);
  }

  async function wakeAt(lease: leases.Lease, requested_at: Date): Promise<void> {
    const { org_id, id } = lease;
    const at = new Date(Math.max(requested_at.getTime(), now().getTime() + SOONEST_WAKE_MS));
    await db.inOrg(org_id, async (trx) => {
      const earliest = assertHeld(lease, await leases.setWake(trx, lease, at));
      if (earliest.getTime() === at.getTime()) await enqueue(trx, { org_id, id }, at);
    });
  }

  /** A lease that cannot be released expires. */
  async function releaseOrExpire(lease: leases.Lease): Promise<void> {
    try {
      await db.inOrg(lease.org_id, (trx) => leases.releaseLease(trx, lease));
    } catch (error) {
      log.warn({ err: error, pull_request_id: lease.id }, 'lease of a pull request not released');
    }
  }

  return runUnderLease;
}

function assertHeld<T>({ id }: leases.Lease, answer: T | undefined): T {
  if (answer === undefined) throw new LeaseLost(id);
  return answer;
}

import { LRUCache } from 'lru-cache';
import { type PlanAnalysis, type PlanOutcome, snapshotOf } from '../../engine/index.ts';
import type { HeldPullRequest, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import type { ConnectedSource, JudgeAlone } from '../ports.ts';
import type { JobResult, Results } from './results.ts';

export interface OutcomesDeps {
  results: Results;
  judgeAlone: JudgeAlone;
}

const WAITING: PlanOutcome = { state: 'waiting' };
const GONE = 'Its result is kept no more. Ask for it again with /drift rescan.';
const JUDGED_ALONE = 24;

/** What has become of each plan, written down where that is new. */
export function createOutcomes({ results, judgeAlone }: OutcomesDeps) {
  const alone = new LRUCache<string, PlanAnalysis>({ max: JUDGED_ALONE });

  return async (connected: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<PlanOutcome> => {
    const { org_id } = connected.source;
    if (plan.status === 'deferred') return deferredOutcome(org_id, held, plan);
    if (plan.status === 'failed') return { state: 'failed', note: plan.error ?? 'The plan could not be judged.' };
    if (plan.job_id === null) return WAITING;
    const result = await results.read(connected.dpa, org_id, plan.job_id);
    return resultOutcome(held, plan, result);
  };

  async function resultOutcome(held: HeldPullRequest, plan: PullRequestPlan, result: JobResult): Promise<PlanOutcome> {
    switch (result.state) {
      case 'pending':
        return WAITING;
      case 'done': {
        const { analysis, trace_ids } = result;
        if (plan.status !== 'done') await held.updatePlan(plan, { status: 'done', snapshot: snapshotOf(analysis) });
        return { state: 'analyzed', analysis, model: null, trace_ids };
      }
      case 'error':
        await held.updatePlan(plan, { status: 'failed', error: result.message });
        return { state: 'failed', note: result.message };
      case 'gone':
        return submitAnew(held, plan);
    }
  }

  /** The result of an equal plan may have gone before this one was told; its own bytes are there then. */
  async function submitAnew(held: HeldPullRequest, plan: PullRequestPlan): Promise<PlanOutcome> {
    if (plan.status === 'done') return { state: 'failed', note: GONE };
    await held.updatePlan(plan, { status: 'waiting', job_id: null, scan_run_id: null });
    return WAITING;
  }

  async function deferredOutcome(org_id: string, held: HeldPullRequest, plan: PullRequestPlan): Promise<PlanOutcome> {
    const analysis = alone.get(plan.id) ?? (await judge(org_id, held, plan));
    if ('error' in analysis) return { state: 'failed', note: analysis.error };
    alone.set(plan.id, analysis);
    return { state: 'deferred', analysis, note: plan.error ?? '', due_at: plan.due_at };
  }

  async function judge(
    org_id: string,
    held: HeldPullRequest,
    plan: PullRequestPlan,
  ): Promise<PlanAnalysis | { error: string }> {
    const payload = await held.readPayload(plan);
    if (payload === undefined) return { error: GONE };
    const { repo, branch } = held.pull_request;
    return judgeAlone(org_id, payload, { repo, branch });
  }
}

export type ReadOutcome = ReturnType<typeof createOutcomes>;

import { LRUCache } from 'lru-cache';
import { type PlanOutcome, toSnapshot } from '../../engine/index.ts';
import { type Client, isApiError, type Schemas } from '../../sdk/src/index.ts';
import type { HeldPullRequest, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import { NOTES } from '../notes.ts';
import type { ConnectedSource, JudgeLocally } from '../ports.ts';
import type { JobResult, Results } from './results.ts';

export interface OutcomeReaderDeps {
  results: Results;
  judgeLocally: JudgeLocally;
}

type LocalJudgement = Pick<Extract<PlanOutcome, { state: 'deferred' }>, 'by' | 'analysis'>;

const WAITING: PlanOutcome = { state: 'waiting' };
const MAX_LOCAL_JUDGEMENTS = 24;

/** Reads the outcome of each plan, and stores new outcomes. */
export function createOutcomeReader({ results, judgeLocally }: OutcomeReaderDeps) {
  const local_judgements = new LRUCache<string, LocalJudgement>({ max: MAX_LOCAL_JUDGEMENTS });

  return async (connected: ConnectedSource, held: HeldPullRequest, plan: PullRequestPlan): Promise<PlanOutcome> => {
    if (plan.status === 'deferred') return deferredOutcome(connected, held, plan);
    if (plan.status === 'failed') return { state: 'failed', note: plan.error ?? NOTES.analysis_failed };
    if (plan.job_id === null) return WAITING;
    const result = await results.read(connected.dpa, connected.org_id, plan.job_id);
    return resultOutcome(held, plan, result);
  };

  async function resultOutcome(held: HeldPullRequest, plan: PullRequestPlan, result: JobResult): Promise<PlanOutcome> {
    switch (result.state) {
      case 'pending':
        return WAITING;
      case 'done': {
        const { analysis, trace_ids } = result;
        if (plan.status !== 'done') await held.updatePlan(plan, { status: 'done', snapshot: toSnapshot(analysis) });
        return { state: 'analyzed', analysis, model: null, trace_ids };
      }
      case 'error':
        await held.updatePlan(plan, { status: 'failed', error: result.message });
        return { state: 'failed', note: result.message };
      case 'gone':
        return resubmit(held, plan);
    }
  }

  /** The result of an equal plan can expire before this one is published; then this plan is submitted itself. */
  async function resubmit(held: HeldPullRequest, plan: PullRequestPlan): Promise<PlanOutcome> {
    if (plan.status === 'done') return { state: 'failed', note: NOTES.result_expired };
    await held.updatePlan(plan, { status: 'waiting', job_id: null, scan_run_id: null });
    return WAITING;
  }

  async function deferredOutcome(
    { org_id, dpa }: ConnectedSource,
    held: HeldPullRequest,
    plan: PullRequestPlan,
  ): Promise<PlanOutcome> {
    const judged = local_judgements.get(plan.id) ?? (await judge(dpa, org_id, held, plan));
    if ('error' in judged) return { state: 'failed', note: judged.error };
    // If the rules of the organization could not be read, the next round tries again.
    if (judged.by === 'organization_rules') local_judgements.set(plan.id, judged);
    return { state: 'deferred', ...judged, note: plan.error ?? '', due_at: plan.due_at };
  }

  async function judge(
    dpa: Client,
    org_id: string,
    held: HeldPullRequest,
    plan: PullRequestPlan,
  ): Promise<LocalJudgement | { error: string }> {
    const payload = await held.readPayload(plan);
    if (payload === undefined) return { error: NOTES.plan_expired };
    const { repo, branch } = held.pull_request;
    const book = await readRuleBook(dpa, org_id);
    const analysis = await judgeLocally(org_id, payload, { book, repo, branch });
    if ('error' in analysis) return analysis;
    return { by: book === null ? 'builtin_rules' : 'organization_rules', analysis };
  }
}

/** Returns null if the service does not return it. */
async function readRuleBook(dpa: Client, id: string): Promise<Schemas['RuleBook'] | null> {
  try {
    return await dpa.call('getRuleBook', { path: { id } });
  } catch (error) {
    if (isApiError(error)) return null;
    throw error;
  }
}

export type ReadOutcome = ReturnType<typeof createOutcomeReader>;

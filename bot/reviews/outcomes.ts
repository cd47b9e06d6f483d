import { type PlanOutcome, toSnapshot } from '../../engine/index.ts';
import type { HeldPullRequest, PlanChanges, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import { NOTES } from '../notes.ts';
import type { ConnectedSource, JudgeLocally } from '../ports.ts';
import { createLocalJudgements, type LocalJudgement } from './local-judgements.ts';
import type { JobResult, Results } from './results.ts';

/** What is known about a plan: the result of its job, or of a deferred plan a local judgement; null = nothing yet. */
export type PlanResult = JobResult | LocalJudgement | null;

export type ReadPlanResult = (
  connected: ConnectedSource,
  held: Pick<HeldPullRequest, 'pull_request' | 'readPayload'>,
  plan: PullRequestPlan,
) => Promise<PlanResult>;

export interface PlanResultReaderDeps {
  results: Results;
  judgeLocally: JudgeLocally;
}

/** Reads what is known about a plan. Changes nothing. */
export function createPlanResultReader({ results, judgeLocally }: PlanResultReaderDeps): ReadPlanResult {
  const judgements = createLocalJudgements(judgeLocally);

  return async (connected, held, plan) => {
    if (plan.status === 'deferred') return judgements.read(connected, held, plan);
    if (plan.status === 'failed' || plan.job_id === null) return null;
    return results.read(connected.dpa, connected.org_id, plan.job_id);
  };
}

/** What the review shows for a plan, and the changes of its row that follow; null = none. */
export interface OutcomeDecision {
  outcome: PlanOutcome;
  changes: PlanChanges | null;
}

const WAITING: PlanOutcome = { state: 'waiting' };

/** Decides the outcome of a plan. The caller applies the changes. */
export function decideOutcome(
  plan: Pick<PullRequestPlan, 'status' | 'error' | 'due_at'>,
  result: PlanResult,
): OutcomeDecision {
  if (result === null) return keep(plan.status === 'failed' ? fail(plan.error ?? NOTES.analysis_failed) : WAITING);
  switch (result.state) {
    case 'pending':
      return keep(WAITING);
    case 'done': {
      const { analysis, trace_ids } = result;
      const outcome: PlanOutcome = { state: 'analyzed', analysis, model: null, trace_ids };
      return plan.status === 'done'
        ? keep(outcome)
        : { outcome, changes: { status: 'done', snapshot: toSnapshot(analysis) } };
    }
    case 'error':
      return { outcome: fail(result.message), changes: { status: 'failed', error: result.message } };
    case 'gone':
      return decideExpired(plan);
    case 'judged': {
      const { by, analysis } = result;
      return keep({ state: 'deferred', by, analysis, note: plan.error ?? '', due_at: plan.due_at });
    }
    case 'unjudged':
      return keep(fail(result.message));
  }
}

/** The result of an equal plan can expire before this one is published; then this plan is submitted itself. */
function decideExpired({ status }: Pick<PullRequestPlan, 'status'>): OutcomeDecision {
  if (status === 'done') return keep(fail(NOTES.result_expired));
  return { outcome: WAITING, changes: { status: 'waiting', job_id: null, scan_run_id: null } };
}

function keep(outcome: PlanOutcome): OutcomeDecision {
  return { outcome, changes: null };
}

function fail(note: string): PlanOutcome {
  return { state: 'failed', note };
}

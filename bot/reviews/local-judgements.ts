import { LRUCache } from 'lru-cache';
import type { PlanOutcome } from '../../engine/index.ts';
import { type Client, isApiError, type Schemas } from '../../sdk/src/index.ts';
import type { HeldPullRequest, PullRequestPlan } from '../../server/domains/pull-requests/index.ts';
import { NOTES } from '../notes.ts';
import type { ConnectedSource, JudgeLocally } from '../ports.ts';

/** The analysis of a deferred plan on this machine. `unjudged`: why there is none. */
export type LocalJudgement =
  | ({ state: 'judged' } & Pick<Extract<PlanOutcome, { state: 'deferred' }>, 'by' | 'analysis'>)
  | { state: 'unjudged'; message: string };

const MAX_CACHED = 24;

/** Judges plans that the service defers, and caches judgements by the rules of the organization. */
export function createLocalJudgements(judgeLocally: JudgeLocally) {
  const judged = new LRUCache<string, LocalJudgement>({ max: MAX_CACHED });

  async function read(
    connected: ConnectedSource,
    held: Pick<HeldPullRequest, 'pull_request' | 'readPayload'>,
    plan: PullRequestPlan,
  ): Promise<LocalJudgement> {
    const known = judged.get(plan.id);
    if (known !== undefined) return known;
    const judgement = await judge(connected, held, plan);
    // If the rules of the organization could not be read, the next round tries again.
    if (judgement.state === 'judged' && judgement.by === 'organization_rules') judged.set(plan.id, judgement);
    return judgement;
  }

  async function judge(
    { org_id, dpa }: ConnectedSource,
    { pull_request: { repo, branch }, readPayload }: Pick<HeldPullRequest, 'pull_request' | 'readPayload'>,
    plan: PullRequestPlan,
  ): Promise<LocalJudgement> {
    const payload = await readPayload(plan);
    if (payload === undefined) return { state: 'unjudged', message: NOTES.plan_expired };
    const book = await readRuleBook(dpa, org_id);
    const analysis = await judgeLocally(org_id, payload, { book, repo, branch });
    if ('error' in analysis) return { state: 'unjudged', message: analysis.error };
    return { state: 'judged', by: book === null ? 'builtin_rules' : 'organization_rules', analysis };
  }

  return { read };
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

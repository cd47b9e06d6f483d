import type { HeldPullRequest, KeptAnswer, PullRequestPlan } from '../../../server/domains/pull-requests/index.ts';

export const NOW = new Date('2026-01-02T03:04:05Z');
export const HEAD = 'a'.repeat(40);

export function buildPlan(changes: Partial<PullRequestPlan> = {}): PullRequestPlan {
  return {
    id: '019b0000-0000-7000-8000-000000000001',
    plan_key: 'tfplan',
    head_sha: HEAD,
    run_id: '7',
    run_number: 701,
    run_url: 'https://github.com/acme/infra/actions/runs/7',
    plan_hash: 'b'.repeat(64),
    status: 'waiting',
    job_id: null,
    scan_run_id: null,
    due_at: null,
    error: null,
    snapshot: null,
    created_at: NOW,
    ...changes,
  };
}

/** A leased pull request; `wakes` records its requested wake-up times. */
export function buildHeld(
  plans: PullRequestPlan[],
  changes: Partial<HeldPullRequest['pull_request']> = {},
): HeldPullRequest & { wakes: Date[] } {
  const wakes: Date[] = [];
  const pull_request = {
    id: '019b0000-0000-7000-8000-000000000002',
    org_id: '019b0000-0000-7000-8000-000000000003',
    config_id: '019b0000-0000-7000-8000-000000000004',
    installation_row_id: null,
    repo: 'acme/infra',
    pr_number: 5,
    url: 'https://github.com/acme/infra/pull/5',
    state: 'open',
    is_fork: false,
    is_quiet: false,
    branch: 'topic',
    head_sha: HEAD,
    head_changed_at: NOW,
    comment_id: null,
    check_id: null,
    check_sha: null,
    published: null,
    answers: [],
    ...changes,
  } as HeldPullRequest['pull_request'];
  return {
    pull_request,
    plans,
    previous: new Map(),
    wakes,
    readPayload: async () => Buffer.from('packed'),
    updatePlan: async (plan, written) => void Object.assign(plan, written),
    update: async (written) => void Object.assign(pull_request, written),
    markAnswer: async (comment_id, state) => {
      pull_request.answers = pull_request.answers.map((answer) => {
        if (answer.comment_id !== comment_id) return answer;
        return state === 'posting' ? ({ ...answer, state } as KeptAnswer) : { comment_id, state };
      });
    },
    wakeAt: async (at) => void wakes.push(at),
    signal: new AbortController().signal,
  };
}

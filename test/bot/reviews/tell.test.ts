import { describe, expect, jest, test } from '@jest/globals';
import { createOutcomes } from '../../../bot/reviews/outcomes.ts';
import { createTell } from '../../../bot/reviews/tell.ts';
import type { CheckUpdate, Platform, PullRequestRef } from '../../../bot/types.ts';
import { analyzePlan, type PlanOutcome } from '../../../engine/index.ts';
import type { HeldPullRequest, PullRequestPlan } from '../../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../../server/log.ts';
import { HEAD, heldOf, NOW, planOf } from './world.ts';

/** A host that takes what it is told, and a service that keeps no result any more. */
function opened(host: Partial<Platform> = {}, outcome?: PlanOutcome) {
  const written: string[] = [];
  const platform = {
    dialect: 'github',
    getPullRequest: async (ref: PullRequestRef) => ({ ...ref, head_sha: HEAD, state: 'open' }),
    async *listOwnComments() {},
    async createComment(_pr: PullRequestRef, body: string) {
      written.push(body);
      return { id: '1' };
    },
    async setCheck(_pr: PullRequestRef, _id: string | null, { conclusion }: CheckUpdate) {
      written.push(`check ${conclusion}`);
      return { id: '2' };
    },
    ...host,
  } as unknown as Platform;
  const submit = jest.fn(async (_connected: unknown, _held: unknown, plan: PullRequestPlan) => {
    plan.job_id = 'gone';
    plan.status = 'submitted';
  });
  const results = { read: async () => ({ state: 'gone' as const }) };
  const tell = createTell({
    connect: async () => ({ source: { kind: 'config', org_id: 'o', id: 'c' }, platform, dpa: {} }) as never,
    orgs: {
      get: async () => ({ slug: 'acme' }),
      getSettings: async () => ({ pr_fail_on: null, fork_pr_policy: 'comment' }),
    } as never,
    pullRequests: { track: async () => ({}) as never },
    submit,
    readOutcome:
      outcome === undefined
        ? createOutcomes({ results, judgeAlone: async () => ({ error: 'never asked' }) })
        : async () => outcome,
    onForbidden: async () => {},
    places: { app_url: null, api_url: null },
    now: () => NOW,
    log: { warn() {} } as unknown as Logger,
  });
  return { written, submit, tell: (held: HeldPullRequest) => tell(held) };
}

const ANSWER = { comment_id: '9', title: '/drift help', body: 'Commands.' };

describe('a verdict whose result is kept no more', () => {
  const done = () => planOf({ status: 'done', job_id: 'old', created_at: new Date('2025-12-01T00:00:00Z') });

  test('stands, in the comment and in the check', async () => {
    const { tell, written } = opened();
    await tell(heldOf([done()]));
    expect(written).toEqual([]);
  });

  test('makes room in the comment for an answer, while the check stands', async () => {
    const { tell, written } = opened();
    await tell(heldOf([done()], { answers: [ANSWER] }));
    expect(written).toEqual([expect.stringContaining('Commands.')]);
  });
});

test('a command on a pull request without plans is answered', async () => {
  const { tell, written } = opened();
  const held = heldOf([], { answers: [ANSWER] });
  await tell(held);
  expect(written).toEqual([expect.stringContaining('Commands.')]);
  await tell(held);
  expect(written).toHaveLength(1);
  expect(held.wakes).toEqual([]);
});

test('a pull request whose repository is linked anew keeps its comment', async () => {
  const before = opened();
  await before.tell(heldOf([], { answers: [ANSWER] }));
  const updated: string[] = [];
  const after = opened({
    async *listOwnComments() {
      yield { id: '1', body: before.written[0] ?? '' };
    },
    async updateComment(_pr, id) {
      return updated.push(id) > 0;
    },
  });

  await after.tell(heldOf([], { id: 'another row', answers: [{ ...ANSWER, body: 'Other commands.' }] }));

  expect(after.written).toEqual([]);
  expect(updated).toEqual(['1']);
});

test('a plan whose result went before it was told is submitted once more, though nothing else happens', async () => {
  const { tell, submit } = opened();
  const held = heldOf([planOf({ status: 'submitted', job_id: 'old', created_at: new Date('2025-12-01T00:00:00Z') })]);
  await tell(held);
  expect(held.wakes).toHaveLength(1);
  await tell(held);
  expect(submit).toHaveBeenCalledTimes(1);
});

test('who has lost the pull request meanwhile writes no comment', async () => {
  const lost = new AbortController();
  const getPullRequest = async (ref: PullRequestRef) => {
    lost.abort();
    return { ...ref, head_sha: HEAD, state: 'open' } as never;
  };
  const { tell, written } = opened({ getPullRequest });
  const held = { ...heldOf([], { answers: [ANSWER] }), signal: lost.signal };
  await expect(tell(held)).rejects.toMatchObject({ name: 'AbortError' });
  expect(written).toEqual([]);
});

describe('a plan that was judged without the rules of its organization', () => {
  const analysis = analyzePlan('{"format_version":"1.2","resource_changes":[]}');
  const outcome: PlanOutcome = { state: 'deferred', by: 'builtin_rules', analysis, note: 'Later.', due_at: null };
  const wakesOf = async (
    plan: Partial<PullRequestPlan>,
    pull_request: Partial<HeldPullRequest['pull_request']> = {},
  ) => {
    const held = heldOf([planOf({ status: 'deferred', ...plan })], pull_request);
    await opened({}, outcome).tell(held);
    return held.wakes;
  };

  test('is taken up again in a minute, until the rules can be read', async () => {
    expect(await wakesOf({})).toEqual([new Date(NOW.getTime() + 60_000)]);
  });

  test('is left alone once its pull request is closed, or another commit is the newest', async () => {
    expect(await wakesOf({}, { state: 'closed' })).toEqual([]);
    const minute = new Date(NOW.getTime() + 60_000);
    expect(await wakesOf({ head_sha: 'e'.repeat(40) })).not.toContainEqual(minute);
  });
});

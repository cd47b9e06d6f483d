import { describe, expect, jest, test } from '@jest/globals';
import { createPlanResultReader, type PlanResult } from '../../../bot/reviews/outcomes.ts';
import { createReviewPublisher } from '../../../bot/reviews/publish.ts';
import { analyzePlan } from '../../../engine/index.ts';
import {
  type CheckUpdate,
  type Platform,
  PlatformError,
  type PullRequestRef,
} from '../../../server/adapters/scm/types.ts';
import type { HeldPullRequest, PullRequestPlan } from '../../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../../server/log.ts';
import { buildHeld, buildPlan, HEAD, NOW } from './fixtures.ts';

/** A host that accepts every update, and a service whose results have expired. */
function setUpPublish(host: Partial<Platform> = {}, result?: PlanResult) {
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
  const publish = createReviewPublisher({
    workOnSource: async (_org_id, _source, work) => ({ result: await work({ platform, dpa: {} } as never) }),
    orgs: {
      get: async () => ({ slug: 'acme' }),
      getSettings: async () => ({ pr_fail_on: null, fork_pr_policy: 'comment', pr_comment_mode: 'upsert' }),
    } as never,
    pullRequests: { track: async () => ({}) as never },
    submit,
    readResult:
      result === undefined
        ? createPlanResultReader({ results, judgeLocally: async () => ({ error: 'never asked' }) })
        : async () => result,
    base_urls: { app_url: null, api_url: null },
    now: () => NOW,
    log: { warn() {} } as unknown as Logger,
  });
  return { written, submit, publish: (held: HeldPullRequest) => publish(held) };
}

const ANSWER = { state: 'new' as const, comment_id: '9', author: 'dev', title: '/drift help', body: 'Commands.' };
const CALM = analyzePlan(
  '{"format_version":"1.2","resource_changes":[{"address":"aws_x.y","mode":"managed","type":"aws_x","name":"y","change":{"actions":["create"],"before":null,"after":{}}}]}',
);
const JUDGED: PlanResult = { state: 'done', analysis: CALM, trace_ids: [] };

describe('a verdict whose result has expired', () => {
  const done = () => buildPlan({ status: 'done', job_id: 'old', created_at: new Date('2025-12-01T00:00:00Z') });

  test('stays in the comment and in the check', async () => {
    const { publish, written } = setUpPublish();
    await publish(buildHeld([done()]));
    expect(written).toEqual([]);
  });

  test('stays when a command is answered', async () => {
    const { publish, written } = setUpPublish();
    await publish(buildHeld([done()], { answers: [ANSWER] }));
    expect(written).toEqual([expect.stringContaining('Commands.')]);
  });
});

describe('an answer to a command', () => {
  test('is posted once, in a separate comment that mentions the author', async () => {
    const { publish, written } = setUpPublish();
    const held = buildHeld([], { answers: [ANSWER] });
    await publish(held);
    await publish(held);
    expect(written).toHaveLength(1);
    expect(written[0]?.split('\n').slice(1)).toEqual(['@dev, `/drift help`:', '', 'Commands.', '']);
    expect(held.pull_request.answers).toEqual([{ comment_id: '9', state: 'posted' }]);
    expect(held.wakes).toEqual([]);
  });

  test('is not posted again if a crash lost the confirmation', async () => {
    const before = setUpPublish();
    await before.publish(buildHeld([], { answers: [ANSWER] }));
    const after = setUpPublish({
      async *listOwnComments() {
        yield { id: '1', body: before.written[0] ?? '' };
      },
    });
    const held = buildHeld([], { answers: [{ ...ANSWER, state: 'posting' }] });
    await after.publish(held);
    expect(after.written).toEqual([]);
    expect(held.pull_request.answers).toEqual([{ comment_id: '9', state: 'posted' }]);
  });

  test('is posted if its first attempt was interrupted', async () => {
    const { publish, written } = setUpPublish();
    await publish(buildHeld([], { answers: [{ ...ANSWER, state: 'posting' }] }));
    expect(written).toHaveLength(1);
  });

  test('stays in progress if the Git host fails', async () => {
    const createComment = () => Promise.reject(new PlatformError('unavailable', 'no answer'));
    const held = buildHeld([], { answers: [ANSWER] });
    await expect(setUpPublish({ createComment }).publish(held)).rejects.toThrow('no answer');
    expect(held.pull_request.answers).toEqual([{ ...ANSWER, state: 'posting' }]);
  });

  test('is skipped if the Git host rejects it, and the next one is posted', async () => {
    const bodies: string[] = [];
    const createComment = async (_pr: PullRequestRef, body: string) => {
      if (body.includes('Commands.')) throw new PlatformError('rejected', 'locked');
      return { id: String(bodies.push(body)) };
    };
    const other = { ...ANSWER, comment_id: '10', body: 'Other.' };
    const held = buildHeld([], { answers: [ANSWER, other] });
    await setUpPublish({ createComment }).publish(held);
    expect(bodies).toEqual([expect.stringContaining('Other.')]);
    expect(held.pull_request.answers).toEqual([
      { comment_id: '9', state: 'refused' },
      { comment_id: '10', state: 'posted' },
    ]);
  });

  test('is posted if comments are off, and does not turn them on', async () => {
    const { publish, written } = setUpPublish({}, JUDGED);
    await publish(buildHeld([buildPlan({ status: 'done', job_id: 'j' })], { answers: [ANSWER], is_quiet: true }));
    expect(written).toEqual(['check success', expect.stringContaining('Commands.')]);
  });
});

test('a pull request keeps its comment if its repository is linked again', async () => {
  const plan = () => buildPlan({ status: 'done', job_id: 'j' });
  const before = setUpPublish({}, JUDGED);
  await before.publish(buildHeld([plan()]));
  const comment = before.written.find((text) => text.startsWith('<!--')) ?? '';
  const updated: string[] = [];
  const after = setUpPublish(
    {
      async *listOwnComments() {
        yield { id: '1', body: comment };
      },
      async updateComment(_pr, id) {
        return updated.push(id) > 0;
      },
    },
    null,
  );

  await after.publish(buildHeld([buildPlan({ status: 'failed', error: 'Another result.' })], { id: 'another row' }));

  expect(after.written.filter((text) => text.startsWith('<!--'))).toEqual([]);
  expect(updated).toEqual(['1']);
});

test('a plan whose result expired before publication is submitted again without another event', async () => {
  const { publish, submit } = setUpPublish();
  const held = buildHeld([
    buildPlan({ status: 'submitted', job_id: 'old', created_at: new Date('2025-12-01T00:00:00Z') }),
  ]);
  await publish(held);
  expect(held.wakes).toHaveLength(1);
  await publish(held);
  expect(submit).toHaveBeenCalledTimes(1);
});

test('a process that lost the lease writes no comment', async () => {
  const lost = new AbortController();
  const getPullRequest = async (ref: PullRequestRef) => {
    lost.abort();
    return { ...ref, head_sha: HEAD, state: 'open' } as never;
  };
  const { publish, written } = setUpPublish({ getPullRequest }, JUDGED);
  const plan = buildPlan({ status: 'done', job_id: 'j' });
  const held = { ...buildHeld([plan], { answers: [ANSWER] }), signal: lost.signal };
  await expect(publish(held)).rejects.toMatchObject({ name: 'AbortError' });
  expect(written).toEqual([]);
});

test('a process that lost the lease answers no command', async () => {
  const { publish, written } = setUpPublish();
  const held = { ...buildHeld([], { answers: [ANSWER] }), signal: AbortSignal.abort() };
  await expect(publish(held)).rejects.toMatchObject({ name: 'AbortError' });
  expect(written).toEqual([]);
});

describe('a plan that was analyzed without the rules of its organization', () => {
  const analysis = analyzePlan('{"format_version":"1.2","resource_changes":[]}');
  const result: PlanResult = { state: 'judged', by: 'builtin_rules', analysis };
  const collectWakes = async (
    plan: Partial<PullRequestPlan>,
    pull_request: Partial<HeldPullRequest['pull_request']> = {},
  ) => {
    const held = buildHeld([buildPlan({ status: 'deferred', error: 'Later.', ...plan })], pull_request);
    await setUpPublish({}, result).publish(held);
    return held.wakes;
  };

  test('is analyzed again every minute until the rules can be read', async () => {
    expect(await collectWakes({})).toEqual([new Date(NOW.getTime() + 60_000)]);
  });

  test('is not analyzed again after its pull request is closed or has a newer commit', async () => {
    expect(await collectWakes({}, { state: 'closed' })).toEqual([]);
    const minute = new Date(NOW.getTime() + 60_000);
    expect(await collectWakes({ head_sha: 'e'.repeat(40) })).not.toContainEqual(minute);
  });
});

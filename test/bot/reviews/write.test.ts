import { describe, expect, test } from '@jest/globals';
import { writeReview } from '../../../bot/reviews/write.ts';
import type { RenderedReview, Review } from '../../../engine/index.ts';
import { type Platform, PlatformError, type PullRequestRef } from '../../../server/adapters/scm/types.ts';
import { buildHeld, buildPlan, HEAD } from './fixtures.ts';

const PUBLISHED = { head_sha: HEAD, run: 1, comment_hash: 'old', check_hash: null, warned_of: null, answered: null };

test('a rate-limited warning is written once, in the next round', async () => {
  const created: string[] = [];
  let is_throng = true;
  const platform = {
    setCheck: async () => ({ id: '2' }),
    updateComment: async () => true,
    isApproved: async () => true,
    async createComment(_pr: PullRequestRef, body: string) {
      if (is_throng) throw new PlatformError('rate_limited', 'no room', 1);
      created.push(body);
      return { id: '3' };
    },
  } as unknown as Platform;
  const review = { head_sha: HEAD, run: 2, plans: [buildPlan()] } as unknown as Review;
  const rendered = { hash: 'new', risk_level: 'critical', check: { conclusion: 'success' } } as RenderedReview;
  const held = buildHeld([buildPlan()], { comment_id: '1', published: { ...PUBLISHED, risk_level: 'low' } });
  const update = {
    comment_mode: 'upsert' as const,
    platform,
    held,
    review,
    rendered,
    is_forgotten: false,
    can_comment: true,
    isCurrent: async () => true,
  };

  await expect(writeReview(update)).rejects.toThrow('no room');
  is_throng = false;
  await writeReview(update);
  await writeReview(update);

  expect(created).toEqual([expect.stringContaining('risen to critical')]);
  expect(held.pull_request.published).toMatchObject({ risk_level: 'critical', warned_of: 'critical' });
});

const KEY = 'a'.repeat(32);
const [OLD, NEW] = ['b'.repeat(64), 'c'.repeat(64)] as const;

describe('for a new result, pr_comment_mode', () => {
  const marked = (hash: string) => `<!-- dpa:v1 ${JSON.stringify({ k: KEY, sha: HEAD, run: 1, hash })} -->`;

  /** Publishes the result of run 2 while comment 1 shows run 1. @returns the calls of the host */
  async function writeAs(comment_mode: 'upsert' | 'new' | 'off', { run = 2, comments = [marked(OLD)] } = {}) {
    const calls: string[] = [];
    const platform = {
      async setCheck() {
        calls.push('check');
        return { id: '2' };
      },
      async createComment() {
        calls.push('create');
        return { id: '9' };
      },
      async updateComment(_pr: PullRequestRef, id: string) {
        calls.push(`update ${id}`);
        return true;
      },
      isApproved: async () => true,
      async *listOwnComments() {
        yield* comments.map((body, index) => ({ id: String(index + 1), body }));
      },
    } as unknown as Platform;
    const review = { key: KEY, head_sha: HEAD, run, plans: [buildPlan()] } as unknown as Review;
    const rendered = { hash: NEW, risk_level: 'critical', check: { conclusion: 'neutral' } } as RenderedReview;
    const held = buildHeld([buildPlan()], { comment_id: '1', published: { ...PUBLISHED, risk_level: 'critical' } });
    const flags = { is_forgotten: false, can_comment: true, isCurrent: async () => true };
    await writeReview({ platform, held, comment_mode, review, rendered, ...flags });
    return { calls, comment_id: held.pull_request.comment_id };
  }

  test('upsert edits the comment', async () => {
    expect(await writeAs('upsert')).toEqual({ calls: ['check', 'update 1'], comment_id: '1' });
  });

  test('new adds a comment for a new analysis', async () => {
    expect(await writeAs('new')).toEqual({ calls: ['check', 'create'], comment_id: '9' });
  });

  test('new adds no second comment if a crash lost the ID of the first', async () => {
    const comments = [marked(OLD), marked(NEW)];
    expect(await writeAs('new', { comments })).toEqual({ calls: ['check'], comment_id: '2' });
  });

  test('new edits the comment of the same analysis', async () => {
    expect(await writeAs('new', { run: 1 })).toEqual({ calls: ['check', 'update 1'], comment_id: '1' });
  });

  test('off writes the check and no comment', async () => {
    expect(await writeAs('off')).toEqual({ calls: ['check'], comment_id: '1' });
  });
});

test('pr_comment_mode off also writes no warning comment', async () => {
  const created: string[] = [];
  const platform = {
    setCheck: async () => ({ id: '2' }),
    isApproved: async () => true,
    async createComment(_pr: PullRequestRef, body: string) {
      created.push(body);
      return { id: '3' };
    },
  } as unknown as Platform;
  const review = { head_sha: HEAD, run: 2, plans: [buildPlan()] } as unknown as Review;
  const rendered = { hash: 'new', risk_level: 'critical', check: { conclusion: 'neutral' } } as RenderedReview;
  const held = buildHeld([buildPlan()], { comment_id: null, published: { ...PUBLISHED, risk_level: 'low' } });
  const flags = { is_forgotten: false, can_comment: true, isCurrent: async () => true };

  await writeReview({ platform, held, comment_mode: 'off', review, rendered, ...flags });

  expect(created).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { write } from '../../../bot/reviews/write.ts';
import { type Platform, PlatformError, type PullRequestRef } from '../../../bot/types.ts';
import type { RenderedReview, Review } from '../../../engine/index.ts';
import { HEAD, heldOf, planOf } from './world.ts';

const TOLD = { head_sha: HEAD, run: 1, comment_hash: 'old', check_hash: null, warned_of: null, answered: null };

test('a warning that the host has no room for now is written in the next round, once', async () => {
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
  const review = { head_sha: HEAD, run: 2, plans: [planOf()] } as unknown as Review;
  const rendered = { hash: 'new', risk_level: 'critical', check: { conclusion: 'success' } } as RenderedReview;
  const held = heldOf([planOf()], { comment_id: '1', told: { ...TOLD, risk_level: 'low' } });
  const telling = { platform, held, review, rendered, is_forgotten: false, is_ripe: true, isCurrent: async () => true };

  await expect(write(telling)).rejects.toThrow('no room');
  is_throng = false;
  await write(telling);
  await write(telling);

  expect(created).toEqual([expect.stringContaining('risen to critical')]);
  expect(held.pull_request.told).toMatchObject({ risk_level: 'critical', warned_of: 'critical' });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../engine/model/result.ts';
import { judgeAlone, makeChange } from '../helpers.ts';

const listMessages = (before: JsonObject, after: JsonObject) =>
  judgeAlone(makeChange('aws_cloudfront_distribution', 'update', [before, after])).reasons.map(
    ({ message }) => message,
  );
const behavior = (path_pattern: string, compress = true) => ({ path_pattern, compress });

describe('a reason about blocks, which have no short text', () => {
  const before = { ordered_cache_behavior: [behavior('/api/*'), behavior('/img/*')] };

  test('says that their order changes', () => {
    expect(listMessages(before, { ordered_cache_behavior: before.ordered_cache_behavior.toReversed() })).toContainEqual(
      expect.stringMatching(/ordered_cache_behavior has its blocks in another order\.$/),
    );
  });

  test('never lists blocks without their content', () => {
    for (const after of [
      [behavior('/img/*'), behavior('/api/*', false)],
      [behavior('/x/*'), behavior('/y/*')],
    ]) {
      for (const message of listMessages(before, { ordered_cache_behavior: after })) {
        expect(message).not.toContain('a block, a block');
      }
    }
  });
});

import { describe, expect, test } from '@jest/globals';
import { judge } from '../judging.ts';

const type = 'aws_cloudfront_distribution';
const rule = `R-ATTR-${type}.ordered_cache_behavior`;
const behavior = (path_pattern: string, ...trusted_key_groups: string[]) => ({ path_pattern, trusted_key_groups });
const distribution = (...ordered_cache_behavior: ReturnType<typeof behavior>[]) => ({
  ordered_cache_behavior,
  default_cache_behavior: [{ trusted_key_groups: [] }],
});

describe('content that requires signed requests', () => {
  const inner = behavior('/api/internal/*', 'group');
  const outer = behavior('/api/*');
  const guarded = distribution(inner, outer);

  test.each([
    ['is high when an unsigned behavior matches first', distribution(outer, inner)],
    ['is high when its behavior no longer requires signatures', distribution(behavior('/api/internal/*'), outer)],
    ['is high when its behavior is removed', distribution(outer)],
  ])('%s', (_, after) => {
    expect(judge('update', type, { before: guarded, after })).toEqual({ [rule]: 'high' });
    expect(judge('update', type, { before: after, after: guarded })).toEqual({});
  });

  test('gives no reason when unrelated behaviors are added or reordered', () => {
    const images = behavior('/images/*');
    expect(judge('update', type, { before: guarded, after: distribution(images, inner, outer) })).toEqual({});
    expect(judge('update', type, { before: distribution(images, inner), after: distribution(inner, images) })).toEqual(
      {},
    );
  });
});

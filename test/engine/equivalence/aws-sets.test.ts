import { describe, expect, test } from '@jest/globals';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import { aDiff, anUpdate } from '../noise/builders.ts';

const classify = (type: string, path: string) =>
  classifyNoise(anUpdate(type, [aDiff(path, ['a', 'b'], ['b', 'a'], { op: 'reorder' })]), {}).classification;

describe('another order', () => {
  test.each([
    ['aws_sesv2_account_suppression_attributes', 'suppressed_reasons'],
    ['aws_wafv2_ip_set', 'addresses'],
    ['aws_sagemaker_image', 'aliases'],
  ])('of %s.%s is noise', (type, path) => {
    expect(classify(type, path)).toBe('likely_benign');
  });

  test('of a list that is used from its first entry on is a change', () => {
    expect(classify('aws_autoscaling_group', 'termination_policies')).toBe('novel');
  });
});

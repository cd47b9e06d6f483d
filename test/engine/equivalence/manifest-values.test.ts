import { describe, expect, test } from '@jest/globals';
import { toPathNode } from '../../../engine/changes/path-node.ts';
import { isSameAmount } from '../../../engine/equivalence/manifest-values.ts';
import { makeChange } from '../risk/helpers.ts';

function isSame(path: readonly string[], before: string, after: string): boolean {
  const wrap = (value: string) => ({
    manifest: path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, never>,
  });
  const [diff] = makeChange('kubernetes_manifest', 'update', [wrap(before), wrap(after)]).diffs;
  return isSameAmount(toPathNode(diff!), diff!);
}

describe('a value of a manifest is the same', () => {
  test.each<[string[], string, string]>([
    [['spec', 'refreshInterval'], '1h', '60m'],
    [['spec', 'timeout'], '90s', '1m30s'],
    [['spec', 'target', 'averageValue'], '700m', '0.7'],
    [['spec', 'storage', 'size'], '1Gi', '1024Mi'],
    [['spec', 'limits', 'cpu'], '1', '1000m'],
    [['spec', 'postgresql', 'parameters', 'shared_buffers'], '4GB', '4096MB'],
  ])('at %j: %s and %s', (path, before, after) => expect(isSame(path, before, after)).toBe(true));
});

describe('a value of a manifest differs', () => {
  test.each<[string[], string, string]>([
    [['spec', 'refreshInterval'], '1h', '6m'],
    [['spec', 'target', 'averageValue'], '700m', '700'],
    [['spec', 'postgresql', 'parameters', 'shared_buffers'], '4GB', '4000MB'],
    [['metadata', 'labels', 'timeout'], '1h', '60m'],
    [['spec', 'title'], '1h', '60m'],
  ])('at %j: %s and %s', (path, before, after) => expect(isSame(path, before, after)).toBe(false));
});

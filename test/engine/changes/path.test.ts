import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listPathNames, renderPath } from '../../../engine/changes/path.ts';

test.each<[(string | number)[], string]>([
  [[], ''],
  [['engine_version'], 'engine_version'],
  [['ingress', 0, 'cidr_blocks', 12], 'ingress[0].cidr_blocks[12]'],
  [['tags', 'a.b'], 'tags["a.b"]'],
  [['a.b', 'c'], '["a.b"].c'],
  [['tags', 'kubernetes.io/cluster'], 'tags["kubernetes.io/cluster"]'],
  [['tags', ''], 'tags[""]'],
  [['tags', '0'], 'tags["0"]'],
  [['tags', 'cost-centre_2'], 'tags.cost-centre_2'],
  [['tags', 'say "hi"\n'], 'tags["say \\"hi\\"\\n"]'],
  [['tags', 'Größe'], 'tags["Größe"]'],
  [['tags', '\ud800'], 'tags["\\ud800"]'],
  [['tags', '__proto__'], 'tags.__proto__'],
])('the segments %j are rendered as %s', (segments, path) => {
  expect(renderPath(segments)).toBe(path);
});

test('the names of a rendered path are those that it was rendered from, without list indexes', () => {
  const segment = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat());
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const names = segments.filter((one) => typeof one === 'string');

      expect(listPathNames(renderPath(segments))).toEqual(names);
    }),
  );
});

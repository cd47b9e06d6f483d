import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readYaml } from '../../../../engine/risk/generic-types/yaml.ts';

describe('the YAML reader', () => {
  test('reads maps, lists at either indentation, comments, quotes, block scalars and flow collections', () => {
    const source = `---
# a role
kind: ClusterRole   # the kind
metadata:
  name: "a: b"
  labels: {}
rules:
- apiGroups: [""]
  resources: ['*']
  verbs: [get, list]
- apiGroups:
    - apps
  count: 3
  on: true
  none: ~
text: |
  one: two
   three
last: 'x'
`;
    expect(readYaml(source)).toEqual({
      kind: 'ClusterRole',
      metadata: { name: 'a: b', labels: {} },
      rules: [
        { apiGroups: [''], resources: ['*'], verbs: ['get', 'list'] },
        { apiGroups: ['apps'], count: 3, on: true, none: null },
      ],
      text: 'one: two\nthree',
      last: 'x',
    });
  });

  test.each(['', 'a: &x 1', 'a: *x', 'a: 1\n---\nb: 2', 'just words', '__proto__: {}', `a: ${'x'.repeat(100_001)}`])(
    'returns undefined for unsupported text %#',
    (source) => {
      expect(readYaml(source)).toBeUndefined();
    },
  );

  test('reads the output of another YAML library', () => {
    const word = fc
      .stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
      .filter((text) => !/^(?:true|false|null|no?|yes|y|off|on)$/.test(text));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(
        word,
        fc.oneof({ maxDepth: 3 }, word, fc.integer(), fc.boolean(), fc.array(word, { minLength: 1 }), tie('tree')),
        { minKeys: 1 },
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(readYaml(stringify(value, { lineWidth: 0 }))).toEqual(value);
      }),
      { numRuns: 100 },
    );
  });

  test('does not throw for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '-', '"', '[', ']', '{', '}', '#', '|', "'") }),
        (source) => {
          readYaml(source);
        },
      ),
      { numRuns: 500 },
    );
  });
});

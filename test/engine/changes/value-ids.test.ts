import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ValueIds } from '../../../engine/changes/value-ids.ts';
import { canonicalJson } from '../../../engine/lib/canonical-json.ts';
import type { JsonValue } from '../../../engine/model/result.ts';

test('two values have the same number exactly when their canonical JSON is equal', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
      const ids = new ValueIds();
      const same = canonicalJson(a as JsonValue) === canonicalJson(b as JsonValue);

      expect(ids.find(a as JsonValue) === ids.find(b as JsonValue)).toBe(same);
    }),
  );
});

test('a list that is nested in many others is read once', () => {
  let reads = 0;
  const inner = new Proxy([1, 2, 3], {
    get(list, name, receiver) {
      if (name === 'length') reads += 1;
      return Reflect.get(list, name, receiver);
    },
  });
  const ids = new ValueIds();
  ids.find([inner]);
  const once = reads;

  for (let i = 0; i < 100; i += 1) ids.find([i, inner]);

  expect(reads).toBe(once);
});

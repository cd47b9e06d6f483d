import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../engine/index.ts';
import { createSharedValues } from '../../../server/adapters/drift-pool/shared-values.ts';

test('attributes have the same values after equal ones are shared', () => {
  const anyAttributes = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(fc.array(anyAttributes), (resources) => {
      const shared = createSharedValues();
      const copies = structuredClone(resources) as JsonObject[];
      expect(copies.map(shared.shareAttributes)).toEqual(resources);
    }),
  );
});

test('resources with equal blocks hold one copy of them, at any depth', () => {
  const shared = createSharedValues();
  const [first, second] = [1, 2].map((id) =>
    shared.shareAttributes({ id, tags: { team: 'web' }, rule: [{ id, tags: { team: 'web' } }] }),
  );
  expect(second!['tags']).toBe(first!['tags']);
  expect((second!['rule'] as JsonObject[])[0]!['tags']).toBe(first!['tags']);
  expect(second!['rule']).toEqual([{ id: 2, tags: { team: 'web' } }]);
});

test('a block with a long text is not kept for later resources, but its members are', () => {
  const shared = createSharedValues();
  const [first, second] = [1, 2].map(() => shared.shareAttributes({ block: { text: 'a'.repeat(2_000), list: ['b'] } }));
  const [a, b] = [first!['block'] as JsonObject, second!['block'] as JsonObject];
  expect(a).not.toBe(b);
  expect(a['list']).toBe(b['list']);
});

test('identifiers are those of the resource', () => {
  const shared = createSharedValues();
  expect(shared.shareIdentifiers({ id: 'sg-1', arn: 'arn:aws:ec2:::sg-1' }, { id: 'sg-1' })).toEqual({
    id: 'sg-1',
    arn: 'arn:aws:ec2:::sg-1',
  });
});

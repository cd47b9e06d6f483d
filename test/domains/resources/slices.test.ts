import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sliceTypes } from '../../../server/domains/resources/slices.ts';

const types = fc
  .array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 })
  .map((counts) => counts.map((count, n) => ({ provider_type: `T${n}`, count })));

test('the slices of a page are exactly its rows, in order, for every page', () => {
  fc.assert(
    fc.property(types, fc.integer({ min: 1, max: 10 }), fc.nat(80), (counted, limit, offset) => {
      const rows = counted.flatMap(({ provider_type, count }) =>
        Array.from({ length: count }, (_, n) => `${provider_type}.${n}`),
      );

      const shown = sliceTypes(counted, { limit, offset }).flatMap(({ provider_type, skip, take, from_end }) => {
        const own = rows.filter((row) => row.startsWith(`${provider_type}.`));
        return from_end ? own.slice(own.length - skip - take, own.length - skip) : own.slice(skip, skip + take);
      });

      expect(shown).toEqual(rows.slice(offset, offset + limit));
    }),
  );
});

test('at most half of a type is skipped, and only in the first slice', () => {
  fc.assert(
    fc.property(types, fc.integer({ min: 1, max: 10 }), fc.nat(80), (counted, limit, offset) => {
      const [first, ...rest] = sliceTypes(counted, { limit, offset });

      const count = counted.find(({ provider_type }) => provider_type === first?.provider_type)?.count ?? 0;
      expect(first?.skip ?? 0).toBeLessThanOrEqual(count / 2);
      expect(rest.filter(({ skip, from_end }) => skip > 0 || from_end)).toEqual([]);
    }),
  );
});

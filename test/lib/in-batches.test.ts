import { describe, expect, test } from '@jest/globals';
import { deleteOrphans } from '../../server/lib/delete-orphans.ts';
import { inBatches } from '../../server/lib/in-batches.ts';

test('a batch is followed by another until one is not full', async () => {
  let rows = 2_500;
  const sizes: number[] = [];

  await inBatches(async (limit) => {
    const size = Math.min(rows, limit);
    rows -= size;
    sizes.push(size);
    return size;
  });

  expect(sizes).toEqual([1_000, 1_000, 500]);
});

describe('objects without a row', () => {
  const NOON = new Date('2026-05-01T12:00:00Z');
  const EARLIER = new Date('2026-05-01T11:00:00Z');

  function createBlobs(objects: { key: string; modified_at: Date }[]) {
    const stored = new Map(objects.map((object) => [object.key, object]));
    return {
      stored,
      async *list(prefix: string) {
        for (const object of [...stored.values()]) if (object.key.startsWith(prefix)) yield object;
      },
      async delete(key: string) {
        stored.delete(key);
      },
    };
  }

  test('only old objects that nothing refers to are deleted', async () => {
    const blobs = createBlobs([
      { key: 'plans/orphan', modified_at: EARLIER },
      { key: 'plans/live', modified_at: EARLIER },
      { key: 'plans/new', modified_at: NOON },
      { key: 'other/orphan', modified_at: EARLIER },
    ]);

    await deleteOrphans(blobs, { prefix: 'plans/', before: NOON, listLive: async () => new Set(['plans/live']) });

    expect([...blobs.stored.keys()]).toEqual(['plans/live', 'plans/new', 'other/orphan']);
  });

  test('rows are looked up for 500 objects at once', async () => {
    const objects = Array.from({ length: 1_001 }, (_, index) => ({ key: `plans/${index}`, modified_at: EARLIER }));
    const blobs = createBlobs(objects);
    const sizes: number[] = [];

    await deleteOrphans(blobs, {
      prefix: 'plans/',
      before: NOON,
      listLive: async (keys) => {
        sizes.push(keys.length);
        return new Set();
      },
    });

    expect(sizes).toEqual([500, 500, 1]);
    expect(blobs.stored.size).toBe(0);
  });
});

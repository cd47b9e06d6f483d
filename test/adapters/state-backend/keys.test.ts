import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { collectStateKeys } from '../../../server/adapters/state-backend/keys.ts';
import { compareBytes } from '../../fakes/state/gcs.ts';

const key = fc.tuple(
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '\uff5e', '\u{1f600}'), maxLength: 6 }),
  fc.constantFrom('.tfstate', '.tfstate.backup', '.json', ''),
);
const keys = fc.uniqueArray(
  key.map((parts) => parts.join('')),
  { maxLength: 60 },
);

function toPages(all: readonly string[], size: number): string[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}

async function collect(pages: readonly string[][], options: Parameters<typeof collectStateKeys>[1]) {
  let asked = 0;
  async function* ask() {
    for (const page of pages) {
      asked += 1;
      yield page;
    }
  }
  return { found: await collectStateKeys(ask(), options), asked };
}

const expectedKeys = (all: readonly string[], max: number) =>
  all
    .filter((one) => one.endsWith('.tfstate'))
    .sort(compareBytes)
    .slice(0, max + 1);

describe('keys of states', () => {
  test('of an ordered listing are the first in byte order, and no page is asked for once they are certain', async () => {
    const inputs = [keys, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 8 })] as const;
    await fc.assert(
      fc.asyncProperty(...inputs, async (all, size, max) => {
        const ordered = [...all].sort(compareBytes);
        const { found, asked } = await collect(toPages(ordered, size), { max, in_byte_order: true });

        expect(found).toEqual(expectedKeys(all, max));
        const last = found.length > max ? ordered.indexOf(found.at(-1) ?? '') + 1 : ordered.length;
        expect(asked).toBe(Math.ceil(last / size));
      }),
    );
  });

  test('of a listing in any order are the first in byte order', async () => {
    const inputs = [keys, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 8 })] as const;
    await fc.assert(
      fc.asyncProperty(...inputs, async (all, size, max) => {
        const { found, asked } = await collect(toPages(all, size), { max, in_byte_order: false });

        expect(found).toEqual(expectedKeys(all, max));
        expect(asked).toBe(Math.ceil(all.length / size));
      }),
    );
  });

  test('a listing of 10,000 keys with a limit of 500 returns 501', async () => {
    const all = Array.from({ length: 10_000 }, (_, index) => `k${String(index).padStart(5, '0')}.tfstate`);

    const { found, asked } = await collect(toPages(all, 1_000), { max: 500, in_byte_order: true });

    expect([found.length, found.at(-1), asked]).toEqual([501, 'k00500.tfstate', 1]);
  });

  test('a listing with too many keys ends with an error', async () => {
    const endless = { max: 500, in_byte_order: true, max_keys: 10 };

    await expect(collect(toPages(Array.from({ length: 20 }, String), 5), endless)).rejects.toMatchObject({
      name: 'StateBackendError',
      reason: 'too_large',
      message: 'There are more than 10 keys under this prefix. Choose a longer prefix.',
    });
  });

  test('of a server that repeats an empty page for ever are an error', async () => {
    async function* repeat(): AsyncIterable<string[]> {
      for (;;) yield [];
    }

    const listing = collectStateKeys(repeat(), { max: 500, in_byte_order: true });
    await expect(listing).rejects.toMatchObject({ reason: 'too_large' });
  });
});

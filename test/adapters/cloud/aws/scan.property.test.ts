import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScanPart } from '../../../../server/adapters/cloud/types.ts';
import { never } from '../reading.ts';
import { type FakeAccount, startFakeAccount } from './account.ts';

const TYPES = ['AWS::SQS::Queue', 'AWS::SNS::Topic', 'AWS::DynamoDB::Table', 'AWS::Lambda::Function'];
const BLOCK = 10;

let account: FakeAccount;

beforeEach(async () => {
  account = await startFakeAccount();
  account.aws.state.page_size = 2;
});

afterEach(async () => {
  await account.aws.close();
});

/** @param counts number of resources of each type */
function fill(counts: readonly number[]): ScanPart[] {
  account.aws.listed.length = 0;
  account.aws.state.resources = counts.flatMap((count, t) =>
    Array.from({ length: count }, (_, i) => ({
      type: TYPES[t] as string,
      region: 'eu-west-1',
      identifier: `${t}-${i}`,
    })),
  );
  return TYPES.map((provider_type) => ({
    key: `cloudcontrolapi/eu-west-1/${provider_type}`,
    service: 'cloudcontrolapi',
    region: 'eu-west-1',
    provider_type,
  }));
}

/** Rejects three of every ten requests, at random places. */
function createStorm(places: readonly number[]): () => boolean {
  let count = 0;
  let rejected = new Set<number>();
  return () => {
    if (count % BLOCK === 0) {
      const order = Array.from({ length: BLOCK }, (_, i) => i);
      const draw = () => order.splice((places[count % places.length] as number) % order.length, 1)[0] as number;
      rejected = new Set([draw(), draw(), draw()]);
    }
    return rejected.has(count++ % BLOCK);
  };
}

test('in a storm of 30 % rejected requests, a scan is complete with at most 1.5 times the requests', async () => {
  const counts = fc.array(fc.integer({ min: 20, max: 26 }), { minLength: TYPES.length, maxLength: TYPES.length });
  const places = fc.array(fc.nat(1_000), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(counts, places, async (numbers, drawn) => {
      const parts = fill(numbers);
      account.aws.state.isThrottled = createStorm(drawn);
      const session = account.open();
      const found = new Set<string>();
      const readAll = async (part: ScanPart) => {
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await session.readPage(part, cursor ?? null, never);
          for (const one of page.resources) found.add(one.provider_resource_id);
          cursor = page.next_cursor;
        }
      };

      await Promise.all(parts.map(readAll));

      const fewest = numbers.reduce((sum, count) => sum + Math.ceil(count / 2), 0);
      expect(found.size).toBe(numbers.reduce((sum, count) => sum + count, 0));
      expect(account.aws.listed.length).toBeLessThanOrEqual(fewest * 1.5);
    }),
    { numRuns: 3 },
  );
});

test('a scan that continues from its cursors in new sessions reads no page twice', async () => {
  const counts = fc.array(fc.nat(9), { minLength: TYPES.length, maxLength: TYPES.length });
  const deaths = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(counts, deaths, async (numbers, dies) => {
      const parts = fill(numbers);
      let session = account.open();
      let pages = 0;
      const found: string[] = [];
      for (const part of parts) {
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page = await session.readPage(part, cursor ?? null, never);
          found.push(...page.resources.map((one) => one.provider_resource_id));
          cursor = page.next_cursor;
          pages += 1;
          if (dies[pages % dies.length]) {
            session.close();
            session = account.open();
          }
        }
      }

      expect(found.length).toBe(new Set(found).size);
      expect(found.length).toBe(numbers.reduce((sum, count) => sum + count, 0));
      expect(account.aws.listed.length).toBe(new Set(account.aws.listed).size);
    }),
    { numRuns: 6 },
  );
});

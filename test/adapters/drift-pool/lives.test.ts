import { expect, test } from '@jest/globals';
import { createLives } from '../../../server/adapters/drift-pool/lives.ts';
import type { DriftLive } from '../../../server/adapters/drift-pool/types.ts';

const buildLive = (id: string, iac_resource_id: string | null): DriftLive => ({
  ...{ id, iac_resource_id, provider_type: 'AWS::SQS::Queue', provider_resource_id: id, normalized_type: 'queue' },
  ...{ region: 'eu-west-1', name: null, tags: {}, aliases: [], properties: null },
});

/** @param stored the addresses in the inventory, by live resource; @param found those that describe them now */
function listChanged(stored: Record<string, string | null>, found: [id: string, address: string][]) {
  const lives = createLives('aws');
  for (const [id, address] of Object.entries(stored)) lives.add(buildLive(id, address));
  for (const [live_resource_id, address] of found) lives.match({ live_resource_id }, address);
  return [...lives.listChanged()];
}

test('a live resource whose address is the stored one is not written again', () => {
  expect(listChanged({ a: 'aws_sqs_queue.a', b: null }, [['a', 'aws_sqs_queue.a']])).toEqual([]);
});

test('an address that is new, other or gone is written', () => {
  const stored = { a: null, b: 'aws_sqs_queue.old', c: 'aws_sqs_queue.c' };
  const changed = listChanged(stored, [
    ['a', 'aws_sqs_queue.a'],
    ['b', 'aws_sqs_queue.b'],
  ]);
  expect(changed).toHaveLength(3);
  expect(changed).toEqual(
    expect.arrayContaining([
      { id: 'a', iac_resource_id: 'aws_sqs_queue.a' },
      { id: 'b', iac_resource_id: 'aws_sqs_queue.b' },
      { id: 'c', iac_resource_id: null },
    ]),
  );
});

test('of several addresses of a live resource, the first in order is written, whichever is found first', () => {
  const addresses: [string, string][] = [
    ['a', 'aws_sqs_queue.b'],
    ['a', 'aws_sqs_queue.a'],
  ];
  const written = [{ id: 'a', iac_resource_id: 'aws_sqs_queue.a' }];
  expect(listChanged({ a: null }, addresses)).toEqual(written);
  expect(listChanged({ a: null }, addresses.toReversed())).toEqual(written);
});

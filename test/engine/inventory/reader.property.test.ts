import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createInventoryReader, type Inventory } from '../../../engine/inventory/index.ts';
import * as samples from './samples.ts';

const DOCUMENTS = [
  samples.LISTED_QUEUES,
  samples.QUEUE,
  samples.EXPLORED,
  samples.TAGGED,
  samples.CONFIGURED,
  [samples.ASSET],
  samples.EXPORTED_ASSET,
  [samples.FOUND],
  samples.GRAPH,
  { ...samples.STORAGE, properties: { minimumTlsVersion: 'TLS1_0' } },
  { TypeName: 'AWS::EC2::VPC', ResourceDescriptions: [{ Identifier: 'vpc-0a1b', Properties: '{}' }] },
  {
    TypeName: 'AWS::S3::Bucket',
    ResourceDescriptions: [{ Identifier: 'shop-logs', Properties: '{"BucketName":"shop-logs"}' }],
  },
].map((one) => `${JSON.stringify(one)}\n`);

function read(files: readonly string[], step = Number.POSITIVE_INFINITY): Omit<Inventory, 'files'> {
  const reader = createInventoryReader();
  for (const content of files) {
    const bytes = Buffer.from(content);
    const file = reader.file('file.json');
    for (let at = 0; at < bytes.length; at += step) file.write(Buffer.from(bytes.subarray(at, at + step)));
    file.end();
  }
  const { files: _files, ...rest } = reader.end();
  return rest;
}

test('any order and any split into files gives the same inventory', () => {
  const whole = read([DOCUMENTS.join('')]);

  fc.assert(
    fc.property(
      fc.shuffledSubarray(DOCUMENTS, { minLength: DOCUMENTS.length }),
      fc.array(fc.boolean(), { minLength: DOCUMENTS.length, maxLength: DOCUMENTS.length }),
      (documents, isNewFile) => {
        const files: string[] = [];
        for (const [at, text] of documents.entries()) {
          if (files.length === 0 || isNewFile[at]) files.push(text);
          else files.push(`${files.pop()}${text}`);
        }
        expect(read(files)).toEqual(whole);
      },
    ),
    { numRuns: 50 },
  );
});

test('chunks may end at any byte', () => {
  const whole = read([DOCUMENTS.join('')]);

  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), (step) => expect(read([DOCUMENTS.join('')], step)).toEqual(whole)),
    { numRuns: 20 },
  );
});

import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createInventoryReader, InventoryError } from '../../../engine/inventory/index.ts';
import * as samples from './samples.ts';
import { readFiles } from './samples.ts';

function refuse(content: string | Uint8Array, limits = {}) {
  try {
    readFiles({ 'file.json': content }, limits);
  } catch (error) {
    if (error instanceof InventoryError) return { error_class: error.error_class, message: error.message };
    throw error;
  }
  throw new Error('The file was read.');
}

const json = (value: unknown) => JSON.stringify(value);

test.each<[string, string | Uint8Array, string, string]>([
  ['an empty file', ' \n', 'empty_file', 'The file is empty'],
  ['a page', '<!DOCTYPE html><html></html>', 'not_json', 'an HTML page, probably a login or error page'],
  ['a table for people', 'Name    Location\n----\n', 'not_json', '--output json'],
  ['a compressed file', gzipSync('{}'), 'not_json', 'gunzip inventory.json.gz'],
  ['a truncated file', json(samples.GRAPH).slice(0, -5), 'truncated_file', 'the file is truncated'],
  ['damaged JSON', '{"data": [}', 'invalid_json', 'invalid at byte 10'],
  ['text after a document', `${json(samples.QUEUE)} done`, 'invalid_json', 'after JSON document 1'],
  ['a single value', '"eu-west-1"', 'other_document', 'a single value'],
  ['JSON that is nested too deep', `${'['.repeat(300)}${']'.repeat(300)}`, 'invalid_json', '200 levels deep'],
  ['a plan', json({ format_version: '1.2', planned_values: {}, resource_changes: [] }), 'other_document', 'a plan'],
  ['a state', json({ version: 4, serial: 1, lineage: 'x', resources: [{ mode: 'managed' }] }), 'state', 'a state'],
  ['another command of AWS', json({ Reservations: [] }), 'other_document', '--type-name AWS::EC2::Instance'],
  [
    'another command of Google Cloud',
    json([{ name: 'web', selfLink: 'https://x' }]),
    'other_document',
    'gcloud asset list',
  ],
  [
    'a query without IDs',
    json({ count: 1, data: [{ name: 'x' }], skip_token: null }),
    'other_document',
    'Add both to `project`',
  ],
  [
    'an error of Azure',
    json({ error: { code: 'AuthorizationFailed' } }),
    'other_document',
    'an error message of a cloud',
  ],
  ['a template', json({ AWSTemplateFormatVersion: '2010-09-09', Resources: {} }), 'other_document', 'CloudFormation'],
  ['a listing without its type', json({ ResourceDescriptions: [{ Identifier: 'x' }] }), 'missing_type', '--query'],
  ['other JSON', json({ name: 'left-pad', version: '1.0.0' }), 'other_document', 'its members are name, version'],
])('%s is refused by name', (_title, content, error_class, message) => {
  expect(refuse(content)).toEqual({ error_class, message: expect.stringContaining(message) });
});

test('files and entries beyond the limits are refused or counted', () => {
  expect(refuse(json(samples.GRAPH), { max_file_bytes: 100 }).error_class).toBe('too_large');

  const large = { ...samples.STORAGE, id: `${samples.ACCOUNT_ID}2`, tags: { note: 'x'.repeat(2_000) } };
  const found = readFiles(
    { a: json({ ...samples.GRAPH, data: [samples.STORAGE, large] }) },
    { max_entry_bytes: 1_000 },
  );
  expect(found).toMatchObject({ files: [{ unreadable_count: 1 }], listings: [] });
});

test('an empty list is read, and covers nothing', () => {
  expect(readFiles({ a: '[]' })).toMatchObject({
    resources: [],
    listings: [],
    warnings: [expect.stringContaining('a has an empty list')],
  });
});

test('nothing of a refused file counts', () => {
  const reader = createInventoryReader();
  const file = reader.file('a');
  file.write(Buffer.from(json(samples.GRAPH)));
  expect(() => {
    file.write(Buffer.from('{"x":1}'));
    file.end();
  }).toThrow(InventoryError);

  expect(reader.end()).toMatchObject({ resources: [], files: [] });
});

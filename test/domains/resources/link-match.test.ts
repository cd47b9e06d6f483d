import { expect, test } from '@jest/globals';
import type { LinkCandidate } from '../../../engine/index.ts';
import { chooseLinks, listLookups } from '../../../server/domains/resources/link-match.ts';
import { replaceMarks } from '../../../server/domains/resources/replace-marks.ts';

const CANDIDATE: LinkCandidate = {
  change_id: 'chg_0123456789abcdef',
  address: 'aws_s3_bucket.logs',
  action: 'update',
  risk_level: 'low',
  type: 'aws_s3_bucket',
  import_id: null,
  ids: ['arn:aws:s3:::logs', 'logs'],
  previous_address: null,
  gone_ids: [],
};
const hit = (text: string, live_resource_id: string, more: object = {}) => ({
  ...{ change: 0, matched_by: 'provider_id' as const, text, live_resource_id, provider_type: 'AWS::S3::Bucket' },
  ...more,
});

test.each([
  ['aws_s3_bucket', 'AWS::S3::Bucket', true],
  ['aws_s3_bucket_versioning', 'AWS::S3::Bucket', true],
  ['aws_s3_bucket', 'AWS::S3::BucketPolicy', false],
  ['aws_cloudwatch_event_rule', 'AWS::Events::Rule', true],
  ['google_storage_bucket', 'storage.googleapis.com/Bucket', true],
  ['azurerm_virtual_network', 'Microsoft.Network/virtualNetworks', true],
  ['aws_unheard_of', 'AWS::S3::Bucket', false],
])('a name of %s identifies a resource of %s: %s', (type, provider_type, expected) => {
  const links = chooseLinks([{ ...CANDIDATE, type }], [hit('logs', 'a', { provider_type })]);

  expect(links).toHaveLength(expected ? 1 : 0);
});

test('a whole ID decides between resources of the same name', () => {
  const links = chooseLinks([CANDIDATE], [hit('logs', 'a'), hit('logs', 'b'), hit('arn:aws:s3:::logs', 'b')]);

  expect(links).toMatchObject([{ live_resource_id: 'b', matched_by: 'provider_id', address: 'aws_s3_bucket.logs' }]);
});

test('an ID is stronger than an import block, and that is stronger than an address', () => {
  const address = hit('aws_s3_bucket.logs', 'by address', { matched_by: 'address' });
  const importing = hit('logs', 'by import', { matched_by: 'importing' });
  const choose = (...hits: ReturnType<typeof hit>[]) => chooseLinks([CANDIDATE], hits)[0]?.live_resource_id;

  expect(choose(address, importing, hit('logs', 'by ID'))).toBe('by ID');
  expect(choose(address, importing)).toBe('by import');
  expect(choose(address)).toBe('by address');
  expect(choose()).toBeUndefined();
});

test('a creation is looked up only by what it imports', () => {
  const created = { ...CANDIDATE, action: 'create' as const, ids: [], import_id: 'logs' };

  expect(listLookups([created])).toEqual([{ change: 0, matched_by: 'importing', text: 'logs' }]);
});

test('marks become IDs or null, and nothing else changes', () => {
  const mark = '0123456789abcdef';
  const other = 'chg_fedcba9876543210';
  const text = JSON.stringify({ a: `${mark}${CANDIDATE.change_id}`, b: `${mark}${other}`, c: `x ${mark}${other}` });
  const { change_id, address, action, risk_level } = CANDIDATE;

  const replaced = replaceMarks(text, mark, [
    { change_id, address, action, risk_level, live_resource_id: 'an ID', matched_by: 'address' },
  ]);

  expect(JSON.parse(replaced)).toEqual({ a: 'an ID', b: null, c: `x ${mark}${other}` });
});

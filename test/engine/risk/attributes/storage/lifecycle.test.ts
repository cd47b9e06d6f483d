import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../../engine/model/result.ts';
import { findings, judge } from '../judging.ts';

type Row = [title: string, before: JsonObject, after: JsonObject, level: string | undefined];

const filter = (prefix: string, more: JsonObject = {}) => ({
  and: [],
  object_size_greater_than: null,
  object_size_less_than: null,
  prefix,
  tag: [],
  ...more,
});
const aws = (scope: JsonValue, more: JsonObject = {}): JsonObject => ({
  id: 'tidy',
  prefix: '',
  status: 'Enabled',
  filter: scope === null ? [] : [scope],
  expiration: [{ date: null, days: 30 }],
  ...more,
});
const AWS: Row[] = [
  ['removing the prefix is high', aws(filter('tmp/')), aws(filter('')), 'high'],
  ['removing the filter is high', aws(filter('tmp/')), aws(null), 'high'],
  ['removing the prefix in the old syntax is high', aws(null, { prefix: 'tmp/' }), aws(null), 'high'],
  ['shortening the prefix is high', aws(filter('data/exports/')), aws(filter('data/')), 'high'],
  ['shortening a prefix of temporary objects is low', aws(filter('tmp/exports/')), aws(filter('tmp/')), 'low'],
  ['moving the prefix to one that only resembles "tmp/" is high', aws(filter('tmp/')), aws(filter('tmp')), 'high'],
  ['extending the prefix gives no reason', aws(filter('tmp/')), aws(filter('tmp/exports/')), undefined],
  ['moving the prefix to a filter gives no reason', aws(null, { prefix: 'tmp/' }), aws(filter('tmp/')), undefined],
  [
    'removing the tag is high',
    aws(filter('', { tag: [{ key: 'keep', value: 'no' }] })),
    aws(filter('', { tag: [] })),
    'high',
  ],
  [
    'removing one of two tags is high',
    aws(filter('', { and: [{ prefix: 'a/', tags: { x: '1', y: '2' } }] })),
    aws(filter('', { and: [{ prefix: 'a/', tags: { x: '1' } }] })),
    'high',
  ],
  [
    'adding a tag gives no reason',
    aws(filter('a/')),
    aws(filter('', { and: [{ prefix: 'a/', tags: { x: '1' } }] })),
    undefined,
  ],
  [
    'including smaller objects is high',
    aws(filter('', { object_size_greater_than: 1000 })),
    aws(filter('', { object_size_greater_than: 10 })),
    'high',
  ],
  [
    'excluding smaller objects gives no reason',
    aws(filter('', { object_size_greater_than: 10 })),
    aws(filter('', { object_size_greater_than: 1000 })),
    undefined,
  ],
  [
    'keeping fewer old versions is high',
    aws(filter('a/'), { noncurrent_version_expiration: [{ noncurrent_days: 1, newer_noncurrent_versions: 9 }] }),
    aws(filter('a/'), { noncurrent_version_expiration: [{ noncurrent_days: 1, newer_noncurrent_versions: 1 }] }),
    'high',
  ],
  [
    'widening a rule that deletes nothing gives no reason',
    aws(filter('tmp/'), { expiration: [] }),
    aws(filter(''), { expiration: [] }),
    undefined,
  ],
];

const google = (condition: JsonObject, type = 'Delete'): JsonObject => ({
  action: [{ type }],
  condition: [
    { age: 30, with_state: 'ANY', matches_prefix: [], matches_suffix: [], num_newer_versions: 0, ...condition },
  ],
});
const GOOGLE: Row[] = [
  ['removing all prefixes is high', google({ matches_prefix: ['tmp/'] }), google({}), 'high'],
  ['removing all suffixes is high', google({ matches_suffix: ['.tmp'] }), google({}), 'high'],
  [
    'adding a prefix is high',
    google({ matches_prefix: ['tmp/'] }),
    google({ matches_prefix: ['tmp/', 'out/'] }),
    'high',
  ],
  [
    'removing one of two prefixes gives no reason',
    google({ matches_prefix: ['tmp/', 'out/'] }),
    google({ matches_prefix: ['tmp/'] }),
    undefined,
  ],
  [
    'reordering prefixes gives no reason',
    google({ matches_prefix: ['a', 'b'] }),
    google({ matches_prefix: ['b', 'a'] }),
    undefined,
  ],
  ['including live objects is high', google({ with_state: 'ARCHIVED' }), google({}), 'high'],
  ['limiting to archived objects gives no reason', google({}), google({ with_state: 'ARCHIVED' }), undefined],
  ['keeping fewer versions is high', google({ num_newer_versions: 5 }), google({ num_newer_versions: 1 }), 'high'],
  [
    'keeping more versions gives no reason',
    google({ num_newer_versions: 1 }),
    google({ num_newer_versions: 5 }),
    undefined,
  ],
  [
    'moving the date later is high',
    google({ created_before: '2020-01-01' }),
    google({ created_before: '2024-01-01' }),
    'high',
  ],
  ['removing the age is critical', google({ age: 30 }), google({ age: 0 }), 'critical'],
  ['starting to delete is high', google({}, 'SetStorageClass'), google({}), 'high'],
  ['no longer deleting gives no reason', google({}), google({}, 'SetStorageClass'), undefined],
];

const azure = (filters: JsonObject, days = 60): JsonObject => ({
  name: 'tidy',
  enabled: true,
  filters: [{ blob_types: ['blockBlob'], prefix_match: [], match_blob_index_tag: [], ...filters }],
  actions: [{ base_blob: [{ delete_after_days_since_modification_greater_than: days }], snapshot: [], version: [] }],
});
const TAG = { name: 'keep', operation: '==', value: 'no' };
const AZURE: Row[] = [
  ['removing all prefixes is high', azure({ prefix_match: ['tmp/'] }), azure({}), 'high'],
  [
    'removing one of two prefixes gives no reason',
    azure({ prefix_match: ['tmp/', 'out/'] }),
    azure({ prefix_match: ['out/'] }),
    undefined,
  ],
  [
    'reordering prefixes gives no reason',
    azure({ prefix_match: ['a', 'b'] }),
    azure({ prefix_match: ['b', 'a'] }),
    undefined,
  ],
  ['removing the index tag is high', azure({ match_blob_index_tag: [TAG] }), azure({}), 'high'],
  ['including another type of blobs is high', azure({}), azure({ blob_types: ['blockBlob', 'appendBlob'] }), 'high'],
  ['limiting the rule and deleting later gives no reason', azure({}), azure({ prefix_match: ['tmp/'] }, 90), undefined],
  ['limiting the rule but deleting earlier is high', azure({}), azure({ prefix_match: ['out/'] }, 30), 'high'],
  ['deleting temporary blobs earlier is low', azure({}), azure({ prefix_match: ['tmp/'] }, 30), 'low'],
];

describe('a lifecycle rule', () => {
  test.each(AWS)('AWS: %s', (_, before, after, level) => {
    const sides = { before: { rule: [before] }, after: { rule: [after] } };
    expect(judge('update', 'aws_s3_bucket_lifecycle_configuration', sides)['R-STO-EXPIRE']).toBe(level);
  });

  test.each(GOOGLE)('Google: %s', (_, before, after, level) => {
    const sides = { before: { lifecycle_rule: [before] }, after: { lifecycle_rule: [after] } };
    expect(judge('update', 'google_storage_bucket', sides)['R-STO-EXPIRE']).toBe(level);
  });

  test.each(AZURE)('Azure: %s', (_, before, after, level) => {
    const sides = { before: { rule: [before] }, after: { rule: [after] } };
    expect(judge('update', 'azurerm_storage_management_policy', sides)['R-STO-EXPIRE']).toBe(level);
  });

  test('merging two rules into one gives no reason', () => {
    const before = { lifecycle_rule: [google({ matches_prefix: ['a'] }), google({ matches_prefix: ['b'] })] };
    const after = { lifecycle_rule: [google({ matches_prefix: ['a', 'b'] })] };

    expect(judge('update', 'google_storage_bucket', { before, after })).toEqual({});
  });

  test('narrowing a rule marks the diff of its filter as strengthening', () => {
    const sides = { before: { rule: [aws(filter('tmp/'))] }, after: { rule: [aws(filter('tmp/exports/'))] } };
    const { change } = findings('update', 'aws_s3_bucket_lifecycle_configuration', sides);

    expect(change.diffs.map(({ path, direction }) => [path, direction])).toEqual([
      ['rule[0].filter[0].prefix', 'strengthening'],
    ]);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../../engine/result.ts';
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
  ['its prefix is emptied', aws(filter('tmp/')), aws(filter('')), 'high'],
  ['its filter goes', aws(filter('tmp/')), aws(null), 'high'],
  ['its prefix of the old form goes', aws(null, { prefix: 'tmp/' }), aws(null), 'high'],
  ['its prefix is shorter', aws(filter('tmp/exports/')), aws(filter('tmp/')), 'high'],
  ['its prefix is longer', aws(filter('tmp/')), aws(filter('tmp/exports/')), undefined],
  ['its prefix is written in a filter', aws(null, { prefix: 'tmp/' }), aws(filter('tmp/')), undefined],
  ['its tag goes', aws(filter('', { tag: [{ key: 'keep', value: 'no' }] })), aws(filter('', { tag: [] })), 'high'],
  [
    'one of two tags goes',
    aws(filter('', { and: [{ prefix: 'a/', tags: { x: '1', y: '2' } }] })),
    aws(filter('', { and: [{ prefix: 'a/', tags: { x: '1' } }] })),
    'high',
  ],
  [
    'a tag is added to it',
    aws(filter('a/')),
    aws(filter('', { and: [{ prefix: 'a/', tags: { x: '1' } }] })),
    undefined,
  ],
  [
    'it takes smaller objects too',
    aws(filter('', { object_size_greater_than: 1000 })),
    aws(filter('', { object_size_greater_than: 10 })),
    'high',
  ],
  [
    'it takes larger objects alone',
    aws(filter('', { object_size_greater_than: 10 })),
    aws(filter('', { object_size_greater_than: 1000 })),
    undefined,
  ],
  [
    'it keeps fewer old versions',
    aws(filter('a/'), { noncurrent_version_expiration: [{ noncurrent_days: 1, newer_noncurrent_versions: 9 }] }),
    aws(filter('a/'), { noncurrent_version_expiration: [{ noncurrent_days: 1, newer_noncurrent_versions: 1 }] }),
    'high',
  ],
  [
    'a rule that deletes nothing is widened',
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
  ['its prefixes go', google({ matches_prefix: ['tmp/'] }), google({}), 'high'],
  ['its suffixes go', google({ matches_suffix: ['.tmp'] }), google({}), 'high'],
  ['a prefix is added', google({ matches_prefix: ['tmp/'] }), google({ matches_prefix: ['tmp/', 'out/'] }), 'high'],
  ['a prefix goes', google({ matches_prefix: ['tmp/', 'out/'] }), google({ matches_prefix: ['tmp/'] }), undefined],
  ['prefixes change places', google({ matches_prefix: ['a', 'b'] }), google({ matches_prefix: ['b', 'a'] }), undefined],
  ['it takes live objects too', google({ with_state: 'ARCHIVED' }), google({}), 'high'],
  ['it takes archived objects alone', google({}), google({ with_state: 'ARCHIVED' }), undefined],
  ['it keeps fewer versions', google({ num_newer_versions: 5 }), google({ num_newer_versions: 1 }), 'high'],
  ['it keeps more versions', google({ num_newer_versions: 1 }), google({ num_newer_versions: 5 }), undefined],
  ['its date is later', google({ created_before: '2020-01-01' }), google({ created_before: '2024-01-01' }), 'high'],
  ['its age goes', google({ age: 30 }), google({ age: 0 }), 'high'],
  ['it begins to delete', google({}, 'SetStorageClass'), google({}), 'high'],
  ['it no longer deletes', google({}), google({}, 'SetStorageClass'), undefined],
];

const azure = (filters: JsonObject, days = 60): JsonObject => ({
  name: 'tidy',
  enabled: true,
  filters: [{ blob_types: ['blockBlob'], prefix_match: [], match_blob_index_tag: [], ...filters }],
  actions: [{ base_blob: [{ delete_after_days_since_modification_greater_than: days }], snapshot: [], version: [] }],
});
const TAG = { name: 'keep', operation: '==', value: 'no' };
const AZURE: Row[] = [
  ['its prefixes go', azure({ prefix_match: ['tmp/'] }), azure({}), 'high'],
  ['a prefix goes', azure({ prefix_match: ['tmp/', 'out/'] }), azure({ prefix_match: ['out/'] }), undefined],
  ['prefixes change places', azure({ prefix_match: ['a', 'b'] }), azure({ prefix_match: ['b', 'a'] }), undefined],
  ['its index tag goes', azure({ match_blob_index_tag: [TAG] }), azure({}), 'high'],
  ['it takes another kind of blobs too', azure({}), azure({ blob_types: ['blockBlob', 'appendBlob'] }), 'high'],
  ['it is limited and later', azure({}), azure({ prefix_match: ['tmp/'] }, 90), undefined],
  ['it is limited, and earlier', azure({}), azure({ prefix_match: ['tmp/'] }, 30), 'high'],
];

describe('a rule that deletes content', () => {
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

  test('two rules in one delete no more than before', () => {
    const before = { lifecycle_rule: [google({ matches_prefix: ['a'] }), google({ matches_prefix: ['b'] })] };
    const after = { lifecycle_rule: [google({ matches_prefix: ['a', 'b'] })] };

    expect(judge('update', 'google_storage_bucket', { before, after })).toEqual({});
  });

  test('what a rule no longer reaches is a hardening of the place that says so', () => {
    const sides = { before: { rule: [aws(filter('tmp/'))] }, after: { rule: [aws(filter('tmp/exports/'))] } };
    const { change } = findings('update', 'aws_s3_bucket_lifecycle_configuration', sides);

    expect(change.diffs.map(({ path, direction }) => [path, direction])).toEqual([
      ['rule[0].filter[0].prefix', 'strengthening'],
    ]);
  });
});

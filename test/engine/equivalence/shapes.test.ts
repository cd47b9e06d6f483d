import { describe, expect, test } from '@jest/globals';
import { buildPathNode } from '../../../engine/changes/path-node.ts';
import { createHintFinder, type EquivalenceHint, findTypeHints } from '../../../engine/equivalence/equivalences.ts';
import { createMeaningTest } from '../../../engine/equivalence/prover.ts';
import { classifyLeaf } from '../../../engine/equivalence/shapes.ts';
import type { AttributeDiff, JsonValue } from '../../../engine/model/result.ts';
import { aDiff } from '../noise/builders.ts';

const NOWHERE = { project: null, region: null, zone: null, account: null, record_type: null };

function shape(
  before: JsonValue,
  after: JsonValue,
  more: Partial<AttributeDiff> = {},
  nomination: EquivalenceHint | null = null,
) {
  return classifyLeaf(aDiff('attribute', before, after, more), nomination, NOWHERE).shape;
}

function isSameMeaning(diff: AttributeDiff, type: string): boolean {
  return createMeaningTest(type)(diff);
}

describe('the shape of a changed leaf', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['null_to_empty', null, ''],
    ['null_to_empty', null, []],
    ['null_to_empty', null, {}],
    ['empty_to_null', '', null],
    ['empty_to_null', {}, null],
    ['value_change', null, false],
    ['value_change', 0, null],
    ['value_change', '', 'a'],
    ['value_change', '', []],
    ['numeric_string', 80, '80'],
    ['numeric_string', '1.5', 1.5],
    ['value_change', 80, '080'],
    ['value_change', 1, '1.0'],
    ['value_change', 9007199254740992, '9007199254740993'],
    ['numeric_string', true, 'true'],
    ['value_change', true, 'True'],
    ['value_change', true, '1'],
    ['case_only', 'West-Europe', 'west-europe'],
    ['value_change', 'straße', 'STRASSE'],
    ['value_change', 'İ', 'i'],
    ['whitespace_only', 'a b\n', 'a  b'],
    ['whitespace_only', 'a', ' a '],
    ['value_change', 'ab', 'a b'],
    ['value_change', 'a  ', 'b  '],
    ['timestamp_like', '2026-01-01T00:00:00Z', '2026-02-01T10:00:00.123+02:00'],
    ['value_change', '2026-01-01', '2026-02-01'],
    ['value_change', true, false],
    ['value_change', 1, 2],
  ])('is %s for %j → %j', (expected, before, after) => {
    expect(shape(before, after)).toBe(expected);
  });

  test.each([
    ['a changed order of keys', '{"a":1,"b":[1,2]}', '{ "b": [1, 2], "a": 1 }'],
    ['escapes', '{"a":"\\u0041"}', '{"a":"A"}'],
    ['an empty document', '{}', '{ }'],
  ])('is the same for two JSON texts that differ only in %s', (_what, before, after) => {
    expect(shape(before, after)).toBe('json_equivalent');
  });

  test.each([
    ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['a key given twice', '{"a":1,"a":2}', '{"a":2} '],
    ['a number that a parse would round', '[12345678901234567890]', '[12345678901234567891]'],
    ['a member of null', '{"a":null}', '{}'],
    ['text which is no JSON', '{a: 1}', '{a:  2}'],
    ['hostile depth', `${'['.repeat(5000)}${']'.repeat(5000)}`, `[ ${'['.repeat(4999)}${']'.repeat(5000)}`],
  ])('does not prove two JSON texts equal that differ in %s', (_what, before, after) => {
    expect(shape(before, after)).not.toBe('json_equivalent');
  });

  test('is hash_like for hashes, by format and attribute name', () => {
    const before = 'd41d8cd98f00b204e9800998ecf8427e';
    const after = '9e107d9d372bb6826bd81d3542a419d6';

    const shapeAt = (path: string) => classifyLeaf(aDiff(path, before, after), null, NOWHERE).shape;

    expect(shapeAt('etag')).toBe('hash_like');
    expect(shapeAt('zone_id')).toBe('value_change');
  });

  test('has own values for unknown values and reordered lists', () => {
    expect(shape('a', null, { after_unknown: true })).toBe('to_unknown');
    expect(shape(['a', 'b'], ['b', 'a'], { op: 'reorder' })).toBe('reorder');
  });

  test('never reads sensitive values', () => {
    expect(shape('Secret', 'secret', { before_sensitive: true, after_sensitive: true })).toBe('value_change');
    expect(shape(null, '', { after_sensitive: true })).toBe('value_change');
  });
});

describe('a path with a provider hint', () => {
  test('recognizes a default by its value', () => {
    const nomination: EquivalenceHint = { kind: 'default', value: 'IPV4' };

    expect(shape('IPV4', null, {}, nomination)).toBe('default_filled');
    expect(shape(null, 'IPV4', {}, nomination)).toBe('default_filled');
    expect(shape('IPV6', null, {}, nomination)).toBe('value_change');
  });

  test('treats members of an optional block as empty if they have no effect', () => {
    const nomination: EquivalenceHint = { kind: 'block' };

    expect(shape(false, null, {}, nomination)).toBe('empty_to_null');
    expect(shape([{ enabled: false, days: 0 }], [], {}, nomination)).toBe('empty_to_null');
    expect(shape(true, null, {}, nomination)).toBe('value_change');
    expect(shape([{ enabled: true }], [], {}, nomination)).toBe('value_change');
  });

  test('allows region names to differ in case and spaces', () => {
    expect(shape('West Europe', 'westeurope', {}, { kind: 'case' })).toBe('case_only');
    expect(shape('West Europe', 'northeurope', {}, { kind: 'case' })).toBe('value_change');
  });

  test('allows XML to be indented', () => {
    expect(shape('<a><b>x y</b></a>', '<a>\n  <b>x y</b>\n</a>\n', {}, { kind: 'space' })).toBe('whitespace_only');
    expect(shape('<a><b>x y</b></a>', '<a><b>xy</b></a>', {}, { kind: 'space' })).toBe('value_change');
  });
});

describe('access policies', () => {
  const policy = (statement: object) => JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  const before = policy({
    Effect: 'Allow',
    Action: ['S3:GetObject', 's3:PutObject'],
    Resource: 'r',
    Principal: { AWS: '123456789012' },
  });

  test('are compared by meaning', () => {
    const after = policy({
      Principal: { AWS: ['arn:aws:iam::123456789012:root'] },
      Resource: ['r'],
      Action: ['s3:putobject', 's3:getobject'],
      Effect: 'Allow',
    });

    expect(shape(before, after, {}, { kind: 'policy' })).toBe('json_equivalent');
    expect(shape(before, after)).toBe('json_equivalent');
    expect(shape(before.replace('2012', '2025'), after.replace('2012', '2025'))).toBe('value_change');
  });

  test.each([
    [
      'an action more',
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        Resource: 'r',
        Principal: { AWS: '123456789012' },
      },
    ],
    ['another principal', { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: 'r', Principal: '*' }],
    [
      'NotAction for Action',
      {
        Effect: 'Allow',
        NotAction: ['s3:GetObject', 's3:PutObject'],
        Resource: 'r',
        Principal: { AWS: '123456789012' },
      },
    ],
    [
      'a condition more',
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject'],
        Resource: 'r',
        Principal: { AWS: '123456789012' },
        Condition: { Bool: { 'aws:SecureTransport': 'true' } },
      },
    ],
    [
      'a Deny',
      { Effect: 'Deny', Action: ['s3:GetObject', 's3:PutObject'], Resource: 'r', Principal: { AWS: '123456789012' } },
    ],
  ])('are different for %s', (_what, statement) => {
    expect(shape(before, policy(statement), {}, { kind: 'policy' })).toBe('value_change');
  });
});

describe('a text format with a hint', () => {
  const id = '/subscriptions/1/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub';

  test.each<[EquivalenceHint['kind'] & ('time' | 'duration' | 'address' | 'host' | 'arm_id'), string, string, string]>([
    ['time', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00+01:00'],
    ['duration', '24h', '1440m', '1440s'],
    ['address', '2001:db8::1', '2001:0db8::1', '2001:db8::2'],
    ['host', 'example.com.', 'example.com', 'www.example.com'],
    ['arm_id', id, id.replace('resourceGroups', 'resourcegroups'), id.replace('hub', 'spoke')],
  ])('%s: %s equals %s and not %s', (kind, before, same, other) => {
    expect(shape(before, same, {}, { kind })).toBe('json_equivalent');
    expect(shape(before, same)).not.toBe('json_equivalent');
    expect(shape(before, other, {}, { kind })).not.toBe('json_equivalent');
  });
});

describe('a leaf is fully equivalent if it', () => {
  const trust = (principal: object) => JSON.stringify({ Statement: [{ Effect: 'Allow', Principal: principal }] });
  const reordered = (type: string, path: (string | number)[]) =>
    isSameMeaning(aDiff(path, ['a', 'b'], ['b', 'a'], { op: 'reorder' }), type);

  test('is a policy in a different format', () => {
    const before = trust({ AWS: '111122223333' });
    const after = trust({ AWS: ['arn:aws:iam::111122223333:root'] });

    expect(isSameMeaning(aDiff('assume_role_policy', before, after), 'aws_iam_role')).toBe(true);
    expect(isSameMeaning(aDiff('description', before, after), 'aws_iam_role')).toBe(false);
    expect(isSameMeaning(aDiff('assume_role_policy', before, trust({ AWS: '*' })), 'aws_iam_role')).toBe(false);
  });

  test('is any JSON document with its keys in a different order', () => {
    expect(isSameMeaning(aDiff('anything', '{"a":1,"b":2}', '{"b":2,"a":1}'), 'terraform_data')).toBe(true);
    expect(isSameMeaning(aDiff('anything', '{"a":1,"b":2}', '{"b":1,"a":2}'), 'terraform_data')).toBe(false);
  });

  test('is a reordered list that the service treats as a set', () => {
    expect(reordered('azurerm_role_definition', ['permissions', 0, 'actions'])).toBe(true);
    expect(reordered('azurerm_role_definition', ['assignable_scopes'])).toBe(false);
    expect(reordered('aws_security_group', ['ingress'])).toBe(true);
    expect(reordered('aws_lb_listener', ['default_action'])).toBe(false);
  });

  test.each([
    ['sensitive', { before_sensitive: true, after_sensitive: true }],
    ['unknown', { after_unknown: true }],
  ])('is not %s', (_what, more) => {
    expect(isSameMeaning(aDiff('policy', '{"a":1,"b":2}', '{"b":2,"a":1}', more), 'aws_iam_policy')).toBe(false);
  });

  test('has no other kind of similarity', () => {
    expect(isSameMeaning(aDiff('policy', '', null), 'aws_iam_policy')).toBe(false);
    expect(isSameMeaning(aDiff('policy', 'Allow', 'allow'), 'aws_iam_policy')).toBe(false);
    expect(isSameMeaning(aDiff('max_session_duration', 3600, '03600'), 'aws_iam_role')).toBe(false);
  });
});

describe('provider hints', () => {
  test.each<[string, (string | number)[], EquivalenceHint | null]>([
    ['azurerm_app_configuration_key', ['configuration_store_id'], { kind: 'case' }],
    ['azurerm_app_configuration_key', ['value'], null],
    ['google_compute_address', ['ip_version'], { kind: 'default', value: 'IPV4' }],
    ['aws_dynamodb_table', ['ttl', 0, 'enabled'], { kind: 'block' }],
    ['aws_dynamodb_table', ['attribute', 0, 'name'], null],
    ['azurerm_subnet', ['nat_gateway_id'], { kind: 'arm_id' }],
    ['azurerm_linux_virtual_machine', ['identity', 0, 'identity_ids', 1], { kind: 'arm_id' }],
    ['azurerm_linux_virtual_machine', ['availability_set_id'], { kind: 'case' }],
    ['azurerm_linux_web_app', ['app_settings', 'subnet_id'], null],
    ['azurerm_linux_web_app', ['tags', 'owner_id'], null],
    ['azurerm_subnet', ['name'], null],
    ['google_storage_bucket_iam_policy', ['policy_data'], { kind: 'bindings' }],
    ['google_storage_bucket_iam_policy', ['bucket'], null],
    ['google_pubsub_subscription', ['retry_policy', 0, 'minimum_backoff'], { kind: 'duration' }],
    ['google_colab_runtime_template', ['euc_config', 0, 'euc_disabled'], { kind: 'default', value: false }],
  ])('for %s %j are found', (type, segments, expected) => {
    expect(createHintFinder(findTypeHints(type)!).findHint(buildPathNode(segments))).toEqual(expected);
  });

  test('do not exist for a type of an unknown provider', () => {
    expect(findTypeHints('terraform_data')).toBeUndefined();
    expect(findTypeHints('__proto__')).toBeUndefined();
    expect(findTypeHints('constructor')).toBeUndefined();
    expect(findTypeHints('aws_constructor')).toBe(findTypeHints('aws_unheard_of'));
  });
});

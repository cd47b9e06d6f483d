import { describe, expect, test } from '@jest/globals';
import { documentParsers } from '../../../engine/documents/index.ts';
import { analyzePlan, type Change, type JsonObject } from '../../../engine/index.ts';

function analyze(type: string, before: JsonObject, after: JsonObject, unknown: JsonObject = {}): Change {
  const change = {
    actions: ['update'],
    before,
    after,
    after_unknown: unknown,
    before_sensitive: {},
    after_sensitive: {},
  };
  const resource = { address: `${type}.x`, mode: 'managed', type, name: 'x', provider_name: 'example/x', change };
  const plan = { format_version: '1.2', terraform_version: '1.11.0', resource_changes: [resource] };
  return analyzePlan(JSON.stringify(plan), { parsers: () => documentParsers }).changes[0]!;
}

const classify = (...args: Parameters<typeof analyze>) => analyze(...args).noise.classification;

describe('computed attributes', () => {
  test('follow a change that has no meaning', () => {
    const change = analyze(
      'helm_release',
      { values: ['first:\n  inner: 1\nsecond: 2\n'], metadata: [{ revision: 3 }] },
      { values: ['# note\nsecond: 2\nfirst: {inner: 1}\n'] },
      { metadata: true },
    );
    expect([change.noise.classification, change.risk.level]).toEqual(['likely_benign', 'none']);
  });

  test.each(['public_ip', 'primary_network_interface_id'])('alone are no noise: %s', (name) => {
    expect(classify('aws_instance', { [name]: 'x' }, {}, { [name]: true })).toBe('novel');
  });

  test('that become unknown with a real change are no noise', () => {
    const [before, after] = [{ instance_type: 'a', public_ip: 'x' }, { instance_type: 'b' }];
    expect(classify('aws_instance', before, after, { public_ip: true })).toBe('novel');
  });

  test('an argument that becomes unknown is no consequence', () => {
    const [before, after] = [{ tags: { a: '1' }, ami: 'x' }, { tags: { a: '1' } }];
    expect(classify('aws_instance', before, after, { ami: true })).toBe('novel');
  });
});

describe('manifests', () => {
  const manifest = (spec: JsonObject) => ({ manifest: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec } });
  test.each([
    [{ rules: [{ methods: ['GET', 'PUT'] }] }, { rules: [{ methods: ['PUT', 'GET'] }] }],
    [{ servers: [{ hosts: ['a', 'b'] }] }, { servers: [{ hosts: ['b', 'a'] }] }],
    [{ resources: { limits: { cpu: '1000m' } } }, { resources: { limits: { cpu: '1' } } }],
    [{ resources: { requests: { memory: '1Gi' } } }, { resources: { requests: { memory: '1024Mi' } } }],
  ])('%j and %j are the same', (before, after) => {
    expect(classify('kubernetes_manifest', manifest(before), manifest(after))).toBe('likely_benign');
  });

  test.each([
    [{ args: ['-a', '-b'] }, { args: ['-b', '-a'] }],
    [{ methods: ['GET'] }, { methods: ['GET', 'PUT'] }],
    [{ timeout: '1000m' }, { timeout: '1' }],
  ])('%j and %j are not', (before, after) => {
    expect(classify('kubernetes_manifest', manifest(before), manifest(after))).toBe('novel');
  });
});

describe('other proofs', () => {
  test.each([
    ['aws_cloudwatch_event_rule', 'event_pattern', '{"a":[{"numeric":[">",4]}]}', '{"a":[{"numeric":[">",4.0]}]}'],
    ['google_storage_bucket', 'location', 'EU', 'eu'],
    ['aws_route53_record', 'fqdn', 'a.example.com.', 'a.example.com'],
  ])('%s.%s: %s is %s', (type, name, before, after) => {
    expect(classify(type, { [name]: before }, { [name]: after })).not.toBe('novel');
  });

  test.each([
    ['aws_cloudwatch_event_rule', 'event_pattern', '{"a":[{"numeric":[">",4]}]}', '{"a":[{"numeric":[">",4.5]}]}'],
    ['aws_cloudwatch_event_rule', 'event_pattern', '{"a":["4"]}', '{"a":["4.0"]}'],
    ['google_storage_bucket', 'location', 'EU', 'US'],
  ])('%s.%s: %s is not %s', (type, name, before, after) => {
    expect(classify(type, { [name]: before }, { [name]: after })).toBe('novel');
  });
});

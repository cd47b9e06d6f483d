import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { canonicalJson } from '../../../engine/lib/canonical-json.ts';
import { classifyNoise } from '../../../engine/noise/classify.ts';
import { attributePattern, fingerprint, valueDigest } from '../../../engine/noise/fingerprint.ts';
import { aDiff, anUpdate } from './builders.ts';

const key = Buffer.alloc(32, 7);

describe('the fingerprint of a noise pattern', () => {
  test('matches the example in the contract', () => {
    const pattern = {
      action: 'update',
      attribute: 'tags_all',
      change_shape: 'null_to_empty',
      resource_type: 'aws_s3_bucket',
      value_digest: null,
    } as const;

    expect(fingerprint(pattern)).toBe('664a69e7e545b4c8e35ec397685030a1');
  });

  test('writes list indexes, and only those, as [*]', () => {
    const diff = aDiff(['rule', 0, 'a[0].b', 12, 'port'], 1, 2, { path: 'rule[0]["a[0].b"][12].port' });

    expect(attributePattern(diff)).toBe('rule[*]["a[0].b"][*].port');
  });

  test('uses a keyed hash over the canonical pair of values', () => {
    const expected = createHmac('sha256', key).update('[{"a":1,"b":2},null]').digest('hex').slice(0, 16);

    expect(valueDigest(key, canonicalJson([{ b: 2, a: 1 }, null]))).toBe(expected);
  });
});

describe('an update', () => {
  test('is likely benign if all of its leaves are equivalent', () => {
    const change = anUpdate('aws_glue_job', [
      aDiff('security_configuration', null, ''),
      aDiff('default_arguments', {}, null),
      aDiff('notes', '{"a":1,"b":2}', '{"b":2,"a":1}'),
      aDiff('timeout', 80, '80'),
    ]);

    const noise = classifyNoise(change, {});

    expect(noise.classification).toBe('likely_benign');
    expect(change.diffs.map((diff) => diff.noise)).toEqual(Array(4).fill('likely_benign'));
    expect(noise.fingerprints).toHaveLength(4);
    expect(noise.fingerprints).toEqual([...noise.fingerprints].sort());
    expect(noise.severity).toBeNull();
  });

  test('is novel if one leaf is novel, and the other leaves keep their classification', () => {
    const change = anUpdate('aws_glue_job', [aDiff('security_configuration', null, ''), aDiff('max_retries', 1, 2)]);

    expect(classifyNoise(change, {}).classification).toBe('novel');
    expect(change.diffs.map((diff) => diff.noise)).toEqual(['likely_benign', 'novel']);
  });

  test.each([
    ['order', 'command', aDiff('command', ['a', 'b'], ['b', 'a'], { op: 'reorder' })],
    ['case', 'object key', aDiff('key', 'A', 'a')],
    ['whitespace', 'boot script', aDiff('user_script', 'a b', 'a  b')],
  ])('is novel if only the %s of a %s changes and no provider hint exists', (_shape, _what, diff) => {
    expect(classifyNoise(anUpdate('aws_glue_job', [diff]), {}).classification).toBe('novel');
  });

  test.each([
    ['azurerm_app_configuration_key', aDiff('configuration_store_id', '/subscriptions/A', '/subscriptions/a')],
    [
      'google_service_networking_connection',
      aDiff('reserved_peering_ranges', ['a', 'b'], ['b', 'a'], { op: 'reorder' }),
    ],
    ['azurerm_api_management_policy', aDiff('xml_content', '<a/>', ' <a/>\n')],
    ['google_compute_address', aDiff('ip_version', 'IPV4', null)],
  ])('of %s is benign on the path of its provider hint', (type, diff) => {
    expect(classifyNoise(anUpdate(type, [diff]), {}).classification).toBe('likely_benign');
  });

  test('of a watched path is not noise by its shape alone', () => {
    const shape = anUpdate('aws_redshift_cluster', [aDiff('logging', [{ enable: false }], [])]);
    const [before, after] = ['{"Statement":[],"Version":"2012-10-17"}', '{"Version":"2012-10-17","Statement":[]}'];

    expect(classifyNoise(shape, {}).classification).toBe('novel');
    expect(classifyNoise(anUpdate('aws_iam_policy', [aDiff('policy', before, after)]), {})).toMatchObject({
      classification: 'known_benign',
    });
  });

  test('is known if rules match every leaf except computed ones, and names the most severe rule', () => {
    const count = aDiff(['scaling_config', 0, 'desired_size'], 5, 3);
    const after = { scaling_config: [{ desired_size: 3, min_size: 1, max_size: 9 }] };
    const tag = aDiff('tags.team', 'core', null);
    const tags_all = { team: 'core' };
    const known = anUpdate('aws_eks_node_group', [tag, count, aDiff('arn', 'a', null, { after_unknown: true })], {
      before: { tags_all },
      after: { ...after, tags_all },
    });
    const mixed = anUpdate('aws_eks_node_group', [count, aDiff('labels', null, {})], { after });
    const novel = anUpdate('aws_eks_node_group', [count, aDiff('version', '1.30', '1.31')], { after });

    expect(classifyNoise(known, {})).toMatchObject({
      classification: 'known_benign',
      severity: 'warning',
      matched_rule_id: 'N-AWS-020',
    });
    expect(known.diffs.map(({ noise }) => noise)).toEqual(['known_benign', 'known_benign', 'likely_benign']);
    expect(classifyNoise(mixed, {})).toMatchObject({ classification: 'likely_benign', matched_rule_id: 'N-AWS-020' });
    expect(classifyNoise(novel, {})).toMatchObject({ classification: 'novel', matched_rule_id: null });
    expect(novel.diffs.map(({ noise }) => noise)).toEqual(['known_benign', 'novel']);
  });

  test('that matches a caution rule names the rule and stays novel', () => {
    const change = anUpdate('aws_sqs_queue', [aDiff('sqs_managed_sse_enabled', true, false)]);

    expect(classifyNoise(change, {})).toMatchObject({ classification: 'novel', severity: 'caution' });
    expect(change.diffs[0]?.noise).toBe('novel');
  });

  test('with sensitive values or a forced replacement is not matched by rules', () => {
    const sensitive = aDiff('limit_amount', '100.0', '100.00', { after_sensitive: true });
    const forcing = aDiff('limit_amount', '100.0', '100.00', { forces_replacement: true });

    for (const diff of [sensitive, forcing]) {
      expect(classifyNoise(anUpdate('aws_budgets_budget', [diff]), {}).classification).toBe('novel');
    }
  });

  test('of a path that forces a replacement is never noise', () => {
    const change = anUpdate('aws_glue_job', [aDiff('security_configuration', null, '', { forces_replacement: true })]);

    expect(classifyNoise(change, {}).classification).toBe('novel');
  });

  test('keeps its classification if computed attributes become unknown with it', () => {
    const unknown = { after_unknown: true };
    const benign = anUpdate('aws_glue_job', [aDiff('description', null, ''), aDiff('arn', 'a', null, unknown)]);
    const novel = anUpdate('aws_glue_job', [aDiff('description', 'a', 'b'), aDiff('arn', 'a', null, unknown)]);
    const named = anUpdate('aws_glue_job', [aDiff('description', null, ''), aDiff('role_arn', 'a', null, unknown)]);
    const alone = anUpdate('aws_glue_job', [aDiff('arn', 'a', null, unknown)]);

    expect(classifyNoise(benign, {}).classification).toBe('likely_benign');
    expect(benign.diffs.map((diff) => diff.noise)).toEqual(['likely_benign', 'likely_benign']);
    for (const change of [novel, named, alone]) expect(classifyNoise(change, {}).classification).toBe('novel');
  });

  test('an empty string added to a map or a list is not equivalent to null', () => {
    const inMap = anUpdate('aws_glue_job', [aDiff('default_arguments.FOO', null, '')], {
      before: { default_arguments: { BAR: 'x' } },
    });
    const inList = anUpdate('aws_glue_job', [aDiff(['args', 1], null, '')], { before: { args: ['x'] } });
    const inBlock = anUpdate('aws_glue_job', [aDiff(['command', 0, 'name'], null, '')], {
      before: { command: [{ name: null }] },
    });

    expect(classifyNoise(inMap, {}).classification).toBe('novel');
    expect(classifyNoise(inList, {}).classification).toBe('novel');
    expect(classifyNoise(inBlock, {}).classification).toBe('likely_benign');
  });
});

describe('a change that is not an update', () => {
  test.each(['create', 'delete', 'replace', 'forget', 'import', 'move', 'unknown', 'no-op'] as const)(
    'with action %s is novel and has no fingerprint',
    (action) => {
      const change = anUpdate('aws_glue_job', [aDiff('description', null, '')], { action, actions: [] });

      expect(classifyNoise(change, { key })).toMatchObject({ classification: 'novel', fingerprints: [] });
    },
  );
});

describe('the digest of a changed value', () => {
  test('exists only with a key and differs for another value', () => {
    const readFingerprints = (after: string, options: { key?: Uint8Array }) =>
      classifyNoise(anUpdate('aws_glue_job', [aDiff('max_capacity', 'one', after)]), options).fingerprints;

    expect(readFingerprints('two', {})).toEqual([]);
    expect(readFingerprints('two', { key })).toHaveLength(1);
    expect(readFingerprints('two', { key })).toEqual(readFingerprints('two', { key }));
    expect(readFingerprints('two', { key })).not.toEqual(readFingerprints('three', { key }));
    expect(readFingerprints('two', { key })).not.toEqual(readFingerprints('two', { key: Buffer.alloc(32, 8) }));
  });

  test.each([
    ['marked by the plan', aDiff('setting', 'a', 'b', { after_sensitive: true })],
    ['under a secret name', aDiff('api_token', 'a', 'b')],
    ['in a secret format', aDiff('setting', 'a', 'postgres://admin:hunter2hunter2@db.internal/app')],
    ['inside a longer value', aDiff('setting', ['a'], ['postgres://admin:hunter2hunter2@db.internal/app'])],
  ])('never contains a secret %s', (_how, diff) => {
    expect(classifyNoise(anUpdate('aws_glue_job', [diff]), { key })).toMatchObject({
      classification: 'novel',
      fingerprints: [],
    });
  });

  test('never contains a value that the plan marks elsewhere in the same resource', () => {
    const change = anUpdate('aws_glue_job', [aDiff('setting', 'plain', 'prefix-s3cr3t-value')], {
      after: { master: 's3cr3t-value', setting: 'prefix-s3cr3t-value' },
      after_sensitive: { master: true },
    });

    expect(classifyNoise(change, { key }).fingerprints).toEqual([]);
  });

  test('leaves that differ only by index share one fingerprint', () => {
    const diffs = [0, 1, 2].map((index) => aDiff(['rule', index, 'note'], null, '', { path: `rule[${index}].note` }));

    expect(classifyNoise(anUpdate('aws_glue_job', diffs), {}).fingerprints).toHaveLength(1);
  });
});

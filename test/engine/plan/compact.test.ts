import { describe, expect, test } from '@jest/globals';
import { compactPlan } from '../../../engine/plan/compact.ts';
import { collect, entryWith } from './collect.ts';

const FULL = `{
  "format_version": "1.2", "planned_values": {"root_module": {"resources": []}}, "variables": {"a": {"value": 1}},
  "resource_changes": [ ${entryWith('{"n": 9007199254740993, "s": "\\u00e9"}')} ],
  "output_changes": {"o": {"actions": ["create"], "after": 1}}, "prior_state": {"values": {}}, "errored": false,
  "configuration": {"root_module": {}}, "relevant_attributes": [], "timestamp": "2025-01-01T00:00:00Z"
}`;

describe('a compacted plan', () => {
  test('contains only the members that the engine reads, unchanged byte for byte', () => {
    const compact = Buffer.from(compactPlan(Buffer.from(FULL))).toString();

    expect(Object.keys(JSON.parse(compact))).toEqual([
      'format_version',
      'planned_values',
      'resource_changes',
      'output_changes',
      'errored',
      'relevant_attributes',
    ]);
    expect(compact).toContain('"planned_values":{}');
    expect(compact).toContain('{"n": 9007199254740993, "s": "\\u00e9"}');
  });

  test('reads the same as its original, also from UTF-16 with a wrapper line', () => {
    const text = `[command]terraform-bin show\n${FULL}`;

    expect(collect(compactPlan(Buffer.from(`\ufeff${text}`, 'utf16le')))).toEqual(collect(FULL));
  });

  test('keeps the version constraints of its providers but not their configuration', () => {
    const provider =
      '{"name":"aws","version_constraint":"~> 5.0","expressions":{"secret_key":{"constant_value":"s3cr3t"}}}';
    const text = FULL.replace(
      '"configuration": {',
      `"configuration": {"provider_config": {"aws": ${provider}, "module.a:tls": {"name": "tls"}},`,
    );

    const compact = Buffer.from(compactPlan(Buffer.from(text))).toString();

    expect((JSON.parse(compact) as Record<string, unknown>)['configuration']).toEqual({
      provider_config: { aws: { name: 'aws', version_constraint: '~> 5.0' } },
    });
    expect(collect(compact)).toEqual(collect(text));
    expect(Buffer.from(compactPlan(Buffer.from(compact))).toString()).toBe(compact);
  });

  test('keeps whose accounts its providers manage, but no credential', () => {
    const expressions = {
      allowed_account_ids: { constant_value: ['111122223333'] },
      assume_role: [{ role_arn: { constant_value: 'arn:aws:iam::444455556666:role/x' } }],
      access_key: { constant_value: 's3cr3t' },
      endpoint: { constant_value: 'https://user:s3cr3t@api.acme.io' },
      url: { constant_value: 'https://api.acme.io/?token=s3cr3t' },
      project: { references: ['var.s3cr3t'] },
    };
    const plan = { format_version: '1.2', configuration: { provider_config: { aws: { name: 'aws', expressions } } } };
    const text = JSON.stringify(plan);

    const compact = Buffer.from(compactPlan(Buffer.from(text))).toString();

    expect((JSON.parse(compact) as Record<string, unknown>)['configuration']).toEqual({
      provider_config: {
        aws: {
          name: 'aws',
          scope: [
            ['allowed_account_ids', '111122223333'],
            ['role_arn', 'arn:aws:iam::444455556666:role/x'],
          ],
        },
      },
    });
    expect(compact).not.toContain('s3cr3t');
    expect(collect(compact)).toEqual(collect(text));
    expect(Buffer.from(compactPlan(Buffer.from(compact))).toString()).toBe(compact);
  });

  test.each([
    '{"format_version":"1.2","configuration":{"provider_config":{"a":{"version_constraint":"1"}}},"configuration":{}}',
    '{"format_version":"1.2","configuration":{"provider_config":{"a":{"version_constraint":"1"}},"provider_config":[]}}',
    '{"format_version":"1.2","configuration":{"provider_config":{"__proto__":{"version_constraint":"1"}}}}',
    '{"format_version":"1.2","configuration":"none"}',
    '{"planned_values":{"root_module":{}}}',
    '{"plan_format_version":"1.1","provider_schemas":{"a":1},"resource_changes":[]}',
    `{"resource_changes":[${entryWith('1')}],"format_version":"1.0","resource_changes":[],"format_version":"1.1"}`,
  ])('reads the same as its original: %s', (text) => {
    expect(collect(compactPlan(Buffer.from(text)))).toEqual(collect(text));
  });

  test('is rejected like its original', () => {
    expect(() => compactPlan(Buffer.from('{"version":4,"serial":1}'))).toThrow('a state file');
    expect(() => compactPlan(Buffer.from(FULL.slice(0, -2)))).toThrow('truncated');
  });
});

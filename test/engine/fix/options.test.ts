import { parse } from '@cdktf/hcl2json';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hclAssignment, hclResource, hclText, hclValue } from '../../../engine/fix/hcl.ts';
import { fixOptions } from '../../../engine/fix/options.ts';
import type { FixSubject } from '../../../engine/fix/types.ts';
import type { JsonValue } from '../../../engine/model/result.ts';
import { NOISE_RULES } from '../../../engine/noise-catalog/index.ts';
import { findCategories } from '../../../engine/risk/categories.ts';
import { aDiff } from '../noise/builders.ts';

function aSubject(more: Partial<FixSubject> = {}): FixSubject {
  return {
    resource_type: 'aws_ecs_service',
    resource_address: 'module.shop.aws_ecs_service.api["eu"]',
    attribute: 'desired_count',
    classification: 'novel',
    matched_rule_id: null,
    diff: aDiff('desired_count', 2, 5),
    categories: ['other'],
    ...more,
  };
}

/** HCL normalizes strings to Unicode NFC. */
const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => value.normalize('NFC'));
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null));
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(text, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxKeys: 4, noNullPrototype: true }),
);

/** hcl2json returns unevaluated expressions as `${…}`, and strings and numbers unchanged. */
async function parsed(hcl: string): Promise<Record<string, unknown>> {
  return (await parse('patch.tf', `${hcl}\n`)) as Record<string, unknown>;
}

describe('generated HCL', () => {
  test('parses for any value and returns the same strings', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (one) => {
        const { x } = await parsed(`x = ${hclValue(one)}`);
        if (typeof one === 'string') expect(String(x).replace(/([$%])\1(?=\{)/g, '$1')).toBe(one);
        else expect(x).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });

  test('contains no interpolation from strings', () => {
    expect(hclText(['a $', '{var.b} %', '{ if c }'].join(''))).toBe(['"a $$', '{var.b} %%', '{ if c }"'].join(''));
  });

  test('nests blocks for list indexes and maps for keys', () => {
    expect(hclAssignment(['scaling_config', 0, 'desired_size'], 3)).toBe('scaling_config {\n  desired_size = 3\n}');
    expect(hclAssignment(['labels', 'team'], 'core')).toBe('labels = {\n  team = "core"\n}');
    expect(hclAssignment(['subnets', 1], 'a')).toBeNull();
  });

  test('parses for a resource with any lines', async () => {
    const hostile = hclText(['x"}\n$', '{y}'].join(''));
    const hcl = hclResource('aws_s3_bucket', 'logs', ['tags = {', `  a = ${hostile}`, '}']);

    expect(await parsed(hcl)).toHaveProperty('resource.aws_s3_bucket.logs');
  });
});

describe('the fix options for a pattern', () => {
  test('are two or three, ranked, with the hiding option last', () => {
    const { fixes } = fixOptions(aSubject());

    expect(fixes.map(({ kind, rank }) => [kind, rank])).toEqual([
      ['fix', 1],
      ['suppress', 2],
    ]);
    expect(fixes[0]?.patch).toEqual({ language: 'hcl', before: 'desired_count = 5', after: 'desired_count = 2' });
    expect(fixes[1]?.patch?.after).toBe(
      'resource "aws_ecs_service" "api" {\n  lifecycle {\n    ignore_changes = [desired_count]\n  }\n}',
    );
    for (const { pros, cons } of fixes) expect([pros.length > 0, cons.length > 0]).toEqual([true, true]);
  });

  test.each(NOISE_RULES.map((rule) => [rule.id, rule] as const))(
    'for %s contain valid HCL and hide no access change',
    async (_id, rule) => {
      const [type] = rule.resource_types;
      const resource_type = type === '*' || type === undefined ? `${rule.provider}_instance` : type;
      const attribute = (rule.paths[0] ?? '').replace(/\.\*+$/, '');
      const categories = findCategories(resource_type);
      const { fixes, confidence } = fixOptions(
        aSubject({ resource_type, attribute, matched_rule_id: rule.id, categories, diff: null }),
      );

      expect(fixes.length).toBeGreaterThanOrEqual(2);
      expect(fixes.length).toBeLessThanOrEqual(3);
      expect(fixes.at(-1)?.kind).toBe('suppress');
      expect(confidence).toBeLessThanOrEqual(0.4);
      for (const { patch } of fixes) if (patch?.after) await parsed(patch.after);
      const guarded =
        rule.severity === 'caution' || categories.some((one) => ['iam', 'security', 'encryption'].includes(one));
      if (guarded) expect(JSON.stringify(fixes)).not.toMatch(/ignore_changes = \[/);
      if (rule.fixed_in_version !== null) expect(fixes[0]?.min_provider_version).toBe(rule.fixed_in_version);
    },
  );

  test('never ignore an attribute that a risk rule reads', () => {
    const diff = aDiff('publicly_accessible', false, true);
    const { fixes } = fixOptions(
      aSubject({ resource_type: 'aws_db_instance', attribute: 'publicly_accessible', diff, categories: ['stateful'] }),
    );

    expect(fixes.at(-1)).toMatchObject({ kind: 'suppress', patch: null });
  });

  test('contain no value that the result withholds', () => {
    for (const more of [
      { before_sensitive: true },
      { after_sensitive: true },
      { scrubbed: true as const },
      { truncated: true },
    ]) {
      const { fixes } = fixOptions(aSubject({ diff: aDiff('notes', 'harbour', 'pier', more), attribute: 'notes' }));
      expect(JSON.stringify(fixes)).not.toMatch(/harbour|pier/);
    }
  });

  test('differ for a reordered list, a document and a computed attribute', () => {
    const summaries = [
      aDiff('subnets', ['b', 'a'], ['a', 'b'], { same: 'order' }),
      aDiff('policy', '{}', '{ }', { same: 'policy' }),
      aDiff('arn', 'a', null, { after_unknown: true }),
    ].map((diff) => fixOptions(aSubject({ diff, attribute: diff.path })).fixes[0]?.summary);

    expect(new Set(summaries).size).toBe(3);
  });

  test('contain HCL that parses for any leaf', async () => {
    const segment = fc.oneof(fc.constantFrom('tags', 'a_b', 'rule'), text.filter(Boolean), fc.nat(3));
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 4 }), value, value, async (path, before, after) => {
        const diff = aDiff(['root', ...path], before, after);
        for (const { patch } of fixOptions(aSubject({ diff })).fixes) {
          if (patch?.before) await parsed(patch.before);
          if (patch?.after) await parsed(patch.after);
        }
      }),
      { numRuns: 150 },
    );
  });
});

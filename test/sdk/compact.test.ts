import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan, compactPlan as compactAsEngine } from '../../engine/index.ts';
import { compactPlan } from '../../sdk/src/index.ts';

const FOLDER = new URL('../fixtures/plans/', import.meta.url);
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const analyze = (text: string | Uint8Array) => analyzePlan(typeof text === 'string' ? Buffer.from(text) : text);

const FULL = `{ "format_version": "1.2", "variables" : {"a": {"value": "}s3cr3t"}}, "planned_values": {"root_module": {}},
  "resource_changes": [{"address":"a.b","type":"a","name":"b","change":{"actions":["update"],"before":{"n": 1.10},
    "after":{"n": 9007199254740993, "variables": {"kept": "\\"}"}},"after_unknown":{}}}],
  "prior_state": null, "prior_state": {"values": ["\\\\"]},
  "configuration": {"root_module": {"secret": "s3cr3t"}, "provider_config": {
    "aws": {"name": "aws", "version_constraint": "~> 5.0", "expressions": {"secret_key": {"constant_value": "s3cr3t"}}}}}
}`;

describe('a compacted plan', () => {
  test('drops the members that are never read, and keeps everything else byte by byte', () => {
    const compact = compactPlan(FULL);

    expect(compact).not.toContain('s3cr3t');
    expect(compact).toContain('"after":{"n": 9007199254740993, "variables": {"kept": "\\"}"}}');
    expect(JSON.parse(compact)).toMatchObject({
      variables: {},
      planned_values: {},
      prior_state: {},
      configuration: { root_module: {}, provider_config: { aws: { version_constraint: '~> 5.0', expressions: {} } } },
    });
    expect(compactPlan(compact)).toBe(compact);
  });

  test.each(fixtures)('%s gives the same result as the compact form of the engine', async (name) => {
    const bytes = readFileSync(new URL(name, FOLDER));

    const judged = await analyze(compactPlan(bytes));

    expect(judged).toEqual(await analyze(compactAsEngine(bytes)));
    expect(judged).toEqual(await analyze(bytes));
    expect(compactPlan(bytes).length).toBeLessThanOrEqual(bytes.length);
  });

  test('is the same for text, bytes, UTF-16 and output with wrapper lines', () => {
    const text = `[command]terraform-bin show -json\n::debug::{\n${FULL}\n`;

    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), Buffer.from(`\ufeff${text}`, 'utf16le')])
      expect(compactPlan(bytes)).toBe(compactPlan(text));
    expect(compactPlan(text)).toContain(compactPlan(FULL));
    expect(compactPlan(JSON.parse(FULL))).toBe(JSON.stringify(JSON.parse(compactPlan(FULL))));
  });

  test('is the same JSON except for unread members, for random members', () => {
    const names = fc.constantFrom('variables', 'prior_state', 'resource_changes', '__proto__', 'a"b', 'configuration');
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.constantFrom(0, 2), (plan, indent) => {
        const text = JSON.stringify(plan, null, indent);
        const found = JSON.parse(compactPlan(text));

        for (const [name, value] of Object.entries(JSON.parse(text))) {
          const emptied =
            (name === 'variables' || name === 'prior_state') && typeof value === 'object' && value !== null;
          if (name !== 'configuration') expect(found[name]).toEqual(emptied ? {} : value);
        }
        expect(Object.keys(found)).toEqual(Object.keys(JSON.parse(text)));
      }),
    );
  });

  test.each([
    '',
    'Error: no plan',
    '{"variables": {"a": 1}',
    '{"variables"}',
    '{"variables": {}} }',
    '[{"a":1}]',
    '{,}',
  ])('%j, which is not a plan, is unchanged', (text) => {
    expect(compactPlan(text)).toBe(text);
  });
});

import { describe, expect, test } from '@jest/globals';
import { compactPlan } from '../../../engine/plan/compact.ts';
import { PlanError } from '../../../engine/plan/errors.ts';
import type { PlanLimits } from '../../../engine/plan/types.ts';
import { collect, entryWith, planWith } from './collect.ts';

function catchRefusal(run: () => unknown): PlanError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

/** Errors that the byte scan detects, with the required text of the message. */
const FOUND_BY_SCAN: [string, string | Buffer, RegExp][] = [
  ['an empty text', '', /empty.*terraform show -json/],
  ['only whitespace', ' \r\n\t', /empty/],
  ['only a byte order mark', '\ufeff', /empty/],
  ['only a wrapper line', '[command]terraform-bin show -json x\n', /empty/],
  ['a binary plan', Buffer.from('504b0304140008000800', 'hex'), /binary plan.*terraform show -json tfplan/],
  ['gzip', Buffer.from('1f8b0800000000000003', 'hex'), /gzip.*gunzip/],
  [
    'a state file',
    '{"version":4,"terraform_version":"1.11.4","serial":3,"lineage":"a","resources":[]}',
    /state file.*plan -out/,
  ],
  ['a state file without lineage', '{"version":3,"serial":3}', /state file/],
  [
    'a state in JSON',
    '{"format_version":"1.0","terraform_version":"1.11.4","values":{"root_module":{}}}',
    /a state, which/,
  ],
  ['provider schemas', '{"format_version":"1.0","provider_schemas":{}}', /providers schema/],
  ['validate output', '{"format_version":"1.0","valid":true,"error_count":0,"diagnostics":[]}', /validate/],
  ['a remote run bookmark', '{"remote_plan_format":1,"run_id":"run-x","hostname":"app.terraform.io"}', /bookmark/],
  [
    'human-readable plan output',
    '\nTerraform used the selected providers to generate the following execution plan.\n',
    /human-readable output.*show -json/,
  ],
  ['colored plan output', '\u001b[0m\u001b[1mrandom_id.a: Refreshing', /human-readable output/],
  [
    'plan output without changes',
    'No changes. Your infrastructure matches the configuration.',
    /human-readable output/,
  ],
  ['refresh lines', 'terraform_data.a: Refreshing state... [id=1]\n', /human-readable output/],
  ['OpenTofu output', 'OpenTofu will perform the following actions:', /human-readable output/],
  ['an error box', '╷\n│ Error: No such file', /human-readable output/],
  ['log lines', '{"@level":"info","@message":"Terraform 1.11.4"}\n{"@level":"info"}\n', /log lines.*-out tfplan/],
  ['other text', '<html><body>Not found</body></html>', /not JSON: it begins with "<html/],
  ['an incomplete list', '[', /a list/],
  ['a list', '[{"format_version":"1.2"}]', /a list/],
  ['a string', JSON.stringify(planWith('1')), /single string.*twice/],
  ['a number', '42', /single number/],
  ['null', 'null\n', /single keyword/],
  ['an empty object', '{}', /none of the members format_version, resource_changes/],
  ['another object', '{"name":"package","version":"1.0.0"}', /not a plan/],
  ['truncated JSON', planWith('{"a":"b"}').slice(0, -20), /truncated/],
  ['JSON cut inside a number', '{"format_version":1', /truncated/],
  ['JSON cut after a backslash', '{"a":"\\', /truncated/],
  ['text after the end', `${planWith('1')}}`, /more text after the end/],
  ['two plans', `${planWith('1')}\n${planWith('1')}`, /more text after the end/],
  [
    'an invalid member that is not read',
    '{"format_version":"1.2","variables":{"a":[1,}}',
    /invalid at byte 44: unexpected "}"/,
  ],
  ['too deep nesting', planWith('['.repeat(300) + ']'.repeat(300)), /more than 200 levels/],
  ['an object instead of a list', '{"resource_changes":{"a":1}}', /resource_changes is not a list/],
  ['a string instead of a list', '{"resource_changes":"none"}', /resource_changes is not a list/],
  ['outputs that are not an object', '{"output_changes":[]}', /output_changes is not an object/],
  ['a version that is a list', '{"format_version":["1.2"]}', /format_version is not a single value/],
  ['a flag that is not a boolean', '{"format_version":"1.2","errored":"no"}', /errored is neither/],
];

/** Errors that are detected only when an entry is parsed. */
const FOUND_BY_READER: [string, string, RegExp][] = [
  ['an entry that is not an object', '{"resource_changes":[1]}', /resource_changes\[0\] is not an object/],
  ['an entry without a type', '{"resource_changes":[{"address":"a"}]}', /resource_changes\[0\]\.type is not a string/],
  [
    'an entry without a change',
    '{"resource_changes":[{"address":"a","type":"b","name":"c"}]}',
    /resource_changes\[0\]\.change is not an object/,
  ],
  [
    'a change without actions',
    '{"resource_drift":[{"address":"a","type":"b","name":"c","change":{}}]}',
    /resource_drift\[0\]\.change\.actions/,
  ],
  ['an output without actions', '{"output_changes":{"o":{"actions":[1]}}}', /output_changes\["o"\]\.actions/],
  [
    'an invalid second entry',
    `{"resource_changes":[${entryWith('1')},null]}`,
    /resource_changes\[1\] is not an object/,
  ],
];

describe('the plan reader', () => {
  test.each(FOUND_BY_SCAN)('rejects %s while it scans the text', (_what, text, message) => {
    const bytes = Buffer.from(text as string);

    for (const run of [
      () => compactPlan(bytes),
      () => collect(bytes),
      () => collect(bytes, [1]),
      () => collect(bytes, [7]),
    ]) {
      const refusal = catchRefusal(run);
      expect(refusal.message).toMatch(message);
      expect(refusal.error_class).toBe('invalid_plan_json');
    }
  });

  test.each(FOUND_BY_READER)('rejects %s when it parses the entry', (_what, text, message) => {
    const refusal = catchRefusal(() => collect(text));

    expect(refusal.message).toMatch(message);
    expect(refusal.error_class).toBe('invalid_plan_json');
    expect(() => compactPlan(Buffer.from(text))).not.toThrow();
  });

  test.each([
    ['2.0', '"2.0"'],
    ['10.1', '"10.1"'],
    ['01.2', '"01.2"'],
    ['one', '(not a version)'],
    ['', '(not a version)'],
    ['ghp_0123456789', '(not a version)'],
    ['2'.repeat(21), '(not a version)'],
  ])('rejects the format_version %j, which the message shows as %s', (version, quoted) => {
    const text = JSON.stringify({ format_version: version, resource_changes: [] });

    expect(catchRefusal(() => compactPlan(Buffer.from(text))).error_class).toBe('unsupported_plan_version');
    expect(catchRefusal(() => collect(text)).message).toContain(`format_version ${quoted} is not supported`);
  });

  test.each(['0.1', '0.2', '1.0', '1.2', '1.99', '1'])('accepts the format_version %j', (version) => {
    expect(collect(JSON.stringify({ format_version: version })).header.format_version).toBe(version);
  });
});

describe('the limits of a caller', () => {
  const three = `{"resource_changes":[${[1, 2, 3].map((n) => entryWith(String(n))).join(',')}]}`;

  test.each<[PlanLimits, boolean]>([
    [{}, true],
    [{ max_resource_changes: 3 }, true],
    [{ max_resource_changes: 2 }, false],
    [{ max_entry_bytes: 150 }, true],
    [{ max_entry_bytes: 50 }, false],
  ])('%j allow three small changes: %p', (limits, accepted) => {
    const run = () => collect(three, [40], limits);

    if (accepted) expect(run().resource_changes).toHaveLength(3);
    else expect(catchRefusal(run).message).toMatch(/more than 2 resource changes|is larger than/);
  });

  test('apply to the number of changes in compactPlan, too', () => {
    expect(catchRefusal(() => compactPlan(Buffer.from(three), { max_resource_changes: 2 })).message).toMatch(
      /more than 2/,
    );
  });

  test('do not apply to the size of skipped members', () => {
    const text = `{"format_version":"1.2","prior_state":"${'x'.repeat(10_000)}"}`;

    expect(() => collect(text, [100], { max_entry_bytes: 50 })).not.toThrow();
  });
});

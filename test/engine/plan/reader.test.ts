import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue } from '../../../engine/model/result.ts';
import { collect, entryWith, planWith } from './collect.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 });
/** Numbers beyond ±(2^53−1) are tested in a separate table below. */
const values = fc
  .jsonValue({ maxDepth: 4, stringUnit: 'grapheme' })
  .map((value) => JSON.parse(JSON.stringify(value), (_key, leaf) => (isUnsafeInteger(leaf) ? 0 : leaf)) as JsonValue);

function isUnsafeInteger(leaf: unknown): boolean {
  return typeof leaf === 'number' && Number.isInteger(leaf) && !Number.isSafeInteger(leaf);
}

const entry = fc.record({ address: fc.string(), type: fc.string(), name: fc.string(), after: values }).map((made) => ({
  address: made.address,
  type: made.type,
  name: made.name,
  change: { actions: ['update'], after: made.after, before: null },
}));

const plan = fc.record(
  {
    format_version: fc.constantFrom('0.1', '1.2'),
    planned_values: values,
    resource_changes: fc.array(entry, { maxLength: 5 }),
    variables: values,
    configuration: fc.record({ resource_changes: values }),
    resource_drift: fc.array(entry, { maxLength: 2 }),
    output_changes: fc.dictionary(fc.string(), fc.record({ actions: fc.constant(['create']), after: values })),
    relevant_attributes: fc.array(
      fc.record({ resource: fc.string(), attribute: fc.array(fc.oneof(fc.string(), fc.nat())) }),
    ),
    prior_state: values,
  },
  { requiredKeys: ['format_version'] },
);

describe('the plan reader', () => {
  test('delivers the same as JSON.parse for any chunks and any layout', () => {
    fc.assert(
      fc.property(plan, sizes, fc.constantFrom(0, 2), (made, cut, indent) => {
        const text = JSON.stringify(made, null, indent);

        const found = collect(text, cut);

        const expected = JSON.parse(text) as typeof made;
        expect(found.resource_changes).toEqual(expected.resource_changes ?? []);
        expect(found.resource_drift).toEqual(expected.resource_drift ?? []);
        expect(found.relevant_attributes).toEqual(expected.relevant_attributes ?? []);
        expect(Object.fromEntries(found.output_changes)).toEqual(expected.output_changes ?? {});
        expect(found.header.format_version).toBe(expected.format_version);
      }),
      { numRuns: 400 },
    );
  });

  test('reads a plan in 1-byte chunks like in one chunk', () => {
    const text = planWith('{"caf\\u00e9":"ünï😀\\n\\"","n":[1,-2.5e3,true,null],"long":"abcdefghijklmnop"}');

    expect(collect(text, [1])).toEqual(collect(text));
  });

  test('skips members of the same name at other depths', () => {
    const text = `{"planned_values":{"resource_changes":[1]},"resource_changes":[${entryWith('{"resource_changes":[2]}')}],"variables":{"a":{"resource_changes":[3]}}}`;

    expect(collect(text).resource_changes).toHaveLength(1);
  });

  test('recognizes a member whose name contains escapes', () => {
    const text = planWith('1').replace('resource_changes', 'resource\\u005fchanges');

    expect(collect(text).resource_changes).toHaveLength(1);
  });

  test('uses the last one of duplicate members', () => {
    const [a, b] = [entryWith('1', 'x.a'), entryWith('1', 'x.b')];
    const text = `{"format_version":"9.9","checks":[{"status":"fail"}],"resource_changes":[${a},${a}],"output_changes":{"o":{"actions":["create"]}},"resource_changes":[${b}],"format_version":"1.1","checks":[{"status":"pass"}],"output_changes":null}`;

    const found = collect(text);

    expect(found.resource_changes.map((change) => change.address)).toEqual(['x.b']);
    expect(found.output_changes.size).toBe(0);
    expect(found.header).toMatchObject({ format_version: '1.1', checks: { pass: 1, fail: 0 } });
  });

  test('reads null and absent lists as empty', () => {
    const found = collect('{"format_version":"1.0","resource_changes":null,"output_changes":null}');

    expect(found.resource_changes).toEqual([]);
    expect(collect('{"format_version":"1.0"}').resource_changes).toEqual([]);
  });

  test('treats keys such as __proto__ as ordinary keys', () => {
    const text = `{"__proto__":{"resource_changes":[1]},"output_changes":{"__proto__":{"actions":["create"]}},"resource_changes":[${entryWith('{"__proto__":{"polluted":true},"constructor":1}')}]}`;

    const found = collect(text);

    const after = found.resource_changes[0]!.change.after as Record<string, unknown>;
    expect(Object.keys(after)).toEqual(['__proto__', 'constructor']);
    expect([...found.output_changes.keys()]).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('lists failed checks before unknown ones, and deferred changes, in the header', () => {
    const named = (to_display: string, status: string, messages: unknown[]) => ({
      address: { kind: 'check', to_display },
      status,
      instances: [{ status, problems: messages.map((message) => ({ message })) }, null, { problems: 'x' }],
    });
    const plan = {
      format_version: '1.2',
      resource_changes: [],
      checks: [
        named('check.later', 'unknown', []),
        named('check.passes', 'pass', []),
        named('check.health', 'fail', ['Down.', 'Down.', 7, 'Slow.', 'Third.', 'Fourth.']),
        named('check.long', 'error', ['x'.repeat(2000)]),
      ],
      deferred_changes: [
        { reason: 'instance_count_unknown', resource_change: { address: 'aws_x.later' } },
        { resource_change: 'odd' },
        'odd',
        ...Array.from({ length: 200 }, (_, i) => ({ resource_change: { address: `aws_y.z[${i}]` } })),
      ],
    };

    const { header } = collect(JSON.stringify(plan));

    expect(header.check_findings).toEqual([
      { address: 'check.health', status: 'fail', problems: ['Down.', 'Slow.', 'Third.'] },
      { address: 'check.long', status: 'error', problems: [`${'x'.repeat(299)}…`] },
      { address: 'check.later', status: 'unknown', problems: [] },
    ]);
    expect(header.deferred_count).toBe(203);
    expect(header.deferred).toHaveLength(98);
    expect(header.deferred[0]).toBe('aws_x.later');
  });

  test('reads flags, versions, checks and deferred changes into the header', () => {
    const text =
      '{"format_version":"1.2","terraform_version":"1.11.4","complete":false,"errored":true,"applyable":false,' +
      '"deferred_changes":[{"reason":"unknown"},{}],"checks":[{"status":"pass"},{"status":"fail"},{"status":"error"},{}]}';

    expect(collect(text).header).toEqual({
      format_version: '1.2',
      terraform_version: '1.11.4',
      complete: false,
      errored: true,
      applyable: false,
      redacted: false,
      deferred_count: 2,
      deferred: [],
      checks: { pass: 1, fail: 1, error: 1, unknown: 1 },
      check_findings: (['fail', 'error', 'unknown'] as const).map((status) => ({
        address: 'unnamed check',
        status,
        problems: [],
      })),
    });
  });

  test.each([
    [
      'in the format of the remote API',
      '{"plan_format_version":"1.1","provider_format_version":"1.0","provider_schemas":{}}',
      '1.1',
    ],
    [
      'with schemas in an ordinary plan',
      '{"format_version":"1.2","resource_changes":[],"provider_schemas":{"p":{}}}',
      '1.2',
    ],
  ])('marks redacted JSON %s as redacted', (_form, text, version) => {
    expect(collect(text).header).toMatchObject({ redacted: true, format_version: version });
  });
});

describe('the providers of the configuration', () => {
  const aws = '"aws":{"name":"aws","full_name":"registry.terraform.io/hashicorp/aws","version_constraint":"~> 5.0"';
  const known = {
    name: 'aws',
    full_name: 'registry.terraform.io/hashicorp/aws',
    version_constraint: '~> 5.0',
  };
  const configured = (...members: string[]) => `{"format_version":"1.2","configuration":{${members.join(',')}}}`;
  const providers = `"provider_config":{${aws},"expressions":{"secret_key":{"constant_value":"s3cr3t"}}},"tls":{"name":"tls"}}`;

  test.each([
    ['before the root module', configured(providers, '"root_module":{"provider_config":{"x":1}}')],
    ['after the root module', configured('"root_module":{"resources":[{"provider_config":{}}]}', providers)],
    ['under a name with escapes', configured(providers.replace('provider_config', 'provider\\u005fconfig'))],
    ['after earlier duplicates', configured('"provider_config":{"b":{"version_constraint":"1"}}', providers)],
  ])('are read %s without their expressions', (_where, text) => {
    for (const cut of [[], [1], [7]]) {
      const found = collect(text, cut);
      expect(found.provider_config).toEqual([known]);
      expect(JSON.stringify(found)).not.toContain('s3cr3t');
    }
  });

  test.each([
    ['null', configured(providers, '"provider_config":null')],
    ['a configuration without them', `${configured(providers).slice(0, -1)},"configuration":{"root_module":{}}}`],
    ['a configuration of null', `${configured(providers).slice(0, -1)},"configuration":null}`],
    ['a list', configured('"provider_config":[{"version_constraint":"1"}]')],
    ['invalid entries', configured('"provider_config":{"a":1,"b":null,"c":{"version_constraint":5},"d":[]}')],
    [
      'a member outside the configuration',
      '{"format_version":"1.2","variables":{"provider_config":{"a":{"version_constraint":"1"}}}}',
    ],
  ])('are empty for %s', (_what, text) => {
    expect(collect(text).provider_config).toEqual([]);
  });
});

describe('a number in a plan', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['1e400', '1e400'],
    ['-1E+400', '-1E+400'],
    ['1e-400', '1e-400'],
    ['0.12345678901234567890123', '0.12345678901234567890123'],
    ['1e22', '1e22'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['1000000000000000', 1_000_000_000_000_000],
    ['0.30000000000000004', 0.300_000_000_000_000_04],
    ['1.50000000000000000000', 1.5],
    ['1e3', 1000],
    ['15E-1', 1.5],
    ['0e999999999999999999999', 0],
    ['-0.0000000000000000', -0],
  ])('%s is delivered as %p', (literal, expected) => {
    for (const cut of [[], [1], [7]]) {
      const after = collect(planWith(`{"é":"a","n":[${literal},"${literal}",7]}`), cut).resource_changes[0]!.change
        .after;

      expect(after).toEqual({ é: 'a', n: [expected, literal, 7] });
    }
  });

  test('is delivered as a number, or as its text where a number would lose digits', () => {
    const literal = fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(literal, (source) => {
        const found = collect(planWith(source)).resource_changes[0]!.change.after;

        expect([source, Number(source)]).toContainEqual(found);
        if (Number.isInteger(Number(source)) && !Number.isSafeInteger(Number(source))) expect(found).toBe(source);
      }),
    );
  });
});

describe('a character that PostgreSQL cannot store', () => {
  test.each([
    ['"\\u0000"', '\ufffd'],
    ['"a\\ud800b"', 'a\ufffdb'],
    ['"\\udc00\\ud83d"', '\ufffd\ufffd'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
    ['"\\\\u0000"', '\\u0000'],
    ['"\\\\\\u0000"', '\\\ufffd'],
    ['"\\u00e9"', 'é'],
    ['{"\\u0000":1}', { '\ufffd': 1 }],
  ])('in %s is delivered as %j', (source, expected) => {
    expect(collect(planWith(source)).resource_changes[0]!.change.after).toEqual(expected);
  });

  test('does not occur in delivered text', () => {
    const piece = fc.constantFrom(
      '\\',
      '\\\\',
      'u0000',
      'ud83d',
      'ude00',
      '\\ud83d',
      '\\ude00',
      '\\u0000',
      '\\uD8',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const source = `"${pieces.join('')}"`;
        let expected: string;
        try {
          expected = JSON.parse(source) as string;
        } catch {
          return;
        }

        const found = collect(planWith(source)).resource_changes[0]!.change.after;

        expect(found).toBe(expected.toWellFormed().replaceAll('\u0000', '\ufffd'));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the plan reader accepts', () => {
  const plain = planWith('"größer 😀"');
  const utf16be = Buffer.from(`\ufeff${plain}`, 'utf16le').swap16();

  test.each<[string, string | Buffer]>([
    ['a UTF-8 byte order mark', `\ufeff${plain}`],
    ['UTF-16 LE with a mark', Buffer.from(`\ufeff${plain}`, 'utf16le')],
    ['UTF-16 BE with a mark', utf16be],
    ['UTF-16 LE without a mark', Buffer.from(plain, 'utf16le')],
    ['UTF-16 BE without a mark', utf16be.subarray(2)],
    ['CRLF and blanks', `\r\n \t${plain.replaceAll(',', ',\r\n')}\r\n\r\n`],
    ['the wrapper line of setup-terraform', `[command]/tmp/ab/terraform-bin show -json tfplan\n${plain}`],
    [
      'wrapper lines on both sides',
      `[command]terraform-bin show\r\n${plain}\n::debug::stdout: {"a":\n::set-output name=exitcode::0\n`,
    ],
    ['a workflow command without a line break', `::debug::x\n${plain}\n::debug::exitcode: 0`],
    ['a long line after the end', `${plain}\n::debug::${'{'.repeat(100_000)}\n`],
  ])('%s', (_what, text) => {
    for (const cut of [[], [1], [5, 2]]) {
      expect(collect(text, cut).resource_changes[0]!.change.after).toBe('größer 😀');
    }
  });
});

import { describe, expect, test } from '@jest/globals';
import { normalizeChange, normalizeOutput } from '../../../engine/changes/normalize.ts';
import type { AttributeDiff } from '../../../engine/model/result.ts';
import type { RawChange } from '../../../engine/plan/types.ts';
import { createRedactor } from '../../../engine/redact/redactor.ts';

const SECRET = 'correct-horse "battery"\n<staple>';

function buildChange(change: Partial<RawChange>, type = 'aws_thing') {
  const full = { actions: ['update'], before: {}, after: {}, ...change };
  return normalizeChange({ address: `${type}.x`, type, name: 'x', change: full });
}

/** Redacts one change of a plan that marks `SECRET` elsewhere. */
function redact(change: Partial<RawChange>, type?: string): AttributeDiff[] {
  const redactor = createRedactor();
  redactor.observe(buildChange({ actions: ['no-op'], after: { p: [SECRET] }, after_sensitive: { p: [true] } }));
  const normalized = buildChange(change, type);
  redactor.observe(normalized);
  return redactor.redactChange(normalized);
}

describe('a marked value', () => {
  test('is null and flagged, but not scrubbed', () => {
    const masks = { before_sensitive: { p: true }, after_sensitive: { p: true } };

    const [diff] = redact({ before: { p: 'one' }, after: { p: 'two' }, ...masks });

    expect(diff).toMatchObject({
      op: 'update',
      before: null,
      after: null,
      before_sensitive: true,
      after_sensitive: true,
    });
    expect(diff).not.toHaveProperty('scrubbed');
  });

  test('on one side also hides the other side, whose value may be similar', () => {
    const [diff] = redact({ before: { p: [1, 2] }, after: { p: [2, 1] }, before_sensitive: { p: true } });

    expect(diff).toMatchObject({ before: null, after: null, after_sensitive: false, scrubbed: true });
  });

  test.each<[string, string]>([
    ['unchanged', `x ${SECRET} y`],
    ['inside JSON', `x ${JSON.stringify(SECRET)} y`],
    [
      'inside JSON from Terraform',
      `x ${JSON.stringify(SECRET).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')} y`,
    ],
    ['inside a URL', `x?p=${encodeURIComponent(SECRET)}&y`],
    ['in base64', `x ${Buffer.from(SECRET).toString('base64')} y`],
    ['in URL-safe base64', `x ${Buffer.from(SECRET).toString('base64url')} y`],
  ])('is masked inside longer texts: %s', (_, text) => {
    const [diff] = redact({ after: { note: text } });

    expect(diff).toMatchObject({ before: null, scrubbed: true });
    expect(diff?.after).toMatch(/^x.*\(sensitive\)"? ?=?=?.*y$/);
    expect(diff?.after).not.toContain('horse');
  });

  test.each<[string, string]>([
    ['of a line break', 'battery-staple-9\n'],
    ['of a carriage return and a line break', 'battery-staple-9\r\n'],
    ['of whitespace at both ends', ' \t battery-staple-9  '],
  ])('is masked where it appears trimmed %s', (_, secret) => {
    const redactor = createRedactor();
    redactor.observe(buildChange({ actions: ['no-op'], after: { p: secret }, after_sensitive: { p: true } }));
    const encoded = Buffer.from('battery-staple-9').toString('base64');
    const change = buildChange({
      after: { note: 'x battery-staple-9 y', script: `x ${encoded} y`, whole: 'battery-staple-9' },
    });

    const diffs = redactor.redactChange(change);

    expect(diffs.map(({ after }) => after)).toEqual([
      'x (sensitive) y',
      expect.stringMatching(/^x \(sensitive\)=* y$/),
      null,
    ]);
    expect(redactor.redactText('says battery-staple-9 again')).toBe('says (sensitive) again');
  });

  test('is null if it is the whole value, also in base64', () => {
    const [plain, encoded] = redact({ after: { a: SECRET, b: Buffer.from(`say ${SECRET} now`).toString('base64') } });

    expect(plain).toMatchObject({ after: null, scrubbed: true });
    expect(encoded).toMatchObject({ after: null, scrubbed: true });
  });

  test('is removed from keys and paths', () => {
    const [diff] = redact({ after: { tags: { [`key ${SECRET}`]: 'v' } } });

    expect(diff).toMatchObject({
      path: 'tags["key (sensitive)"]',
      path_segments: ['tags', 'key (sensitive)'],
      after: 'v',
    });
  });

  test('is removed from lists and objects that are one diff', () => {
    const [diff] = redact({ before: { l: ['abc', SECRET] }, after: { l: [SECRET, 'abc'] } });

    expect(diff).toMatchObject({
      op: 'reorder',
      before: ['abc', '(sensitive)'],
      after: ['(sensitive)', 'abc'],
      scrubbed: true,
    });
  });

  test('is not searched for if it is shorter than six characters', () => {
    const masks = { before_sensitive: { pin: true }, after_sensitive: { pin: true } };

    const [pin, note] = redact({ before: { pin: '1234' }, after: { pin: '12345', note: '12345' }, ...masks });

    expect(pin).toMatchObject({ before: null, after: null });
    expect(note).toMatchObject({ after: '12345' });
  });

  test('in an output is withheld there and elsewhere', () => {
    const redactor = createRedactor();
    const raw: RawChange = { actions: ['create'], after: { inner: 'canary-value' }, after_sensitive: { inner: true } };
    const output = normalizeOutput('o', raw);
    redactor.observeOutput(output, raw);

    expect(redactor.redactOutput(output)).toMatchObject({ before: null, after: null, sensitive: true });
    expect(redactor.redactText('it is canary-value.')).toBe('it is (sensitive).');
  });
});

describe('an unmarked value', () => {
  test('is withheld by its name', () => {
    const [diff] = redact({ before: { db_password: 'a' }, after: { db_password: 'b' } });

    expect(diff).toMatchObject({ before: null, after: null, before_sensitive: false, scrubbed: true });
  });

  test.each<[string, object, unknown]>([
    ['a boolean', { manage_master_user_password: true }, true],
    ['a small number', { minimum_password_length: 14 }, 14],
    ['an empty string', { password: '' }, ''],
    [
      'an ARN',
      { secret: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:x' },
      'arn:aws:secretsmanager:eu-west-1:123456789012:secret:x',
    ],
    ['a setting', { metadata_options: [{ http_tokens: 'required' }] }, 'required'],
  ])('with a secret name is shown if it is %s', (_, after, shown) => {
    expect(redact({ after: after as never })).toMatchObject([{ after: shown }]);
  });

  test('with a secret name is withheld if it is a long number', () => {
    expect(redact({ after: { passwd: 12345678 } })).toMatchObject([{ after: null, scrubbed: true }]);
  });

  test('is withheld by its format', () => {
    expect(redact({ after: { url: 'postgres://app:hunter22@db/x' } })).toMatchObject([{ after: null, scrubbed: true }]);
  });

  test('is withheld by the name in the same object', () => {
    const env = (value: string) => ({
      env: [
        { name: 'PORT', value: '80' },
        { name: 'DB_PASSWORD', value },
      ],
    });

    expect(redact({ before: env('one'), after: env('two') })).toMatchObject([
      { path: 'env[1].value', before: null, after: null, scrubbed: true },
    ]);
    expect(redact({ before: { env: [] }, after: env('two') }).map((diff) => diff.after)).toEqual([
      'PORT',
      '80',
      'DB_PASSWORD',
      null,
    ]);
  });

  test('is withheld if the attribute is known, and scrubbed elsewhere', () => {
    const redactor = createRedactor();
    const password = buildChange(
      { actions: ['create'], before: null, after: { result: 'generated-one' } },
      'random_password',
    );
    redactor.observe(password);

    expect(redactor.redactChange(password)).toMatchObject([{ after: null, scrubbed: true }]);
    expect(redactor.redactText('uses generated-one')).toBe('uses (sensitive)');
  });

  test('in an output makes the output sensitive', () => {
    const redactor = createRedactor();
    const output = normalizeOutput('admin_password', { actions: ['create'], after: 'hunter22' });

    expect(redactor.redactOutput(output)).toMatchObject({ after: null, sensitive: true });
  });
});

describe('a value without secrets', () => {
  test('is returned as the same object', () => {
    const redactor = createRedactor();
    const change = buildChange({ before: { a: 1, tags: { x: 'y' } }, after: { a: 2, tags: { x: 'z' } } });
    const output = normalizeOutput('url', { actions: ['create'], after: { host: 'example.com' } });

    expect(redactor.redactChange(change).every((diff, i) => diff === change.diffs[i])).toBe(true);
    expect(redactor.redactOutput(output)).toBe(output);
  });

  test('stays unchanged in raw diffs, so that rules can read it', () => {
    const change = buildChange({ before: { password: 'a' }, after: { password: 'b' } });

    createRedactor().redactChange(change);

    expect(change.diffs[0]).toMatchObject({ before: 'a', after: 'b' });
  });

  test('a key named __proto__ in a redacted object stays an ordinary key', () => {
    const after = JSON.parse(`{"l":[{"__proto__":{"password":"abc"},"n":1},2]}`);
    const before = JSON.parse(`{"l":[2,{"__proto__":{"password":"abc"},"n":1}]}`);

    const [diff] = redact({ before, after });

    expect(JSON.stringify(diff?.after)).toBe('[{"__proto__":{"password":"(sensitive)"},"n":1},2]');
    expect(({} as Record<string, unknown>)['password']).toBeUndefined();
  });
});

test('above its limit of secrets, the redactor withholds every text', () => {
  const redactor = createRedactor();
  const many = Array.from({ length: 100_001 }, (_, i) => `canary-${i}`);
  redactor.observe(buildChange({ after: { many }, after_sensitive: { many: true } }));
  const change = buildChange({ after: { a: 'canary-100000', b: 'unrelated', n: 7 } });

  expect(redactor.redactChange(change).map((diff) => diff.after)).toEqual([null, null, 7]);
});

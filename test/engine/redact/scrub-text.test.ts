import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scrubText } from '../../../engine/index.ts';
import { CANARY_FORMS } from './canary-forms.ts';

const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
/** Base64 of a text with the complete secret, as an error may quote a header or a body. */
const inBase64 = (secret: string) => Buffer.from(`Authorization: ${secret} `).toString('base64');

describe.each(CANARY_FORMS)('%s', (_name, secret) => {
  test.each<[string, (secret: string) => string]>([
    ['alone', (text) => text],
    ['in a sentence', (text) => `the provider refused ${text}, try another`],
    ['in JSON', (text) => JSON.stringify({ error: { message: `bad key: ${text}`, type: 'auth' } })],
    ['in JSON within JSON', (text) => JSON.stringify(JSON.stringify({ message: text }))],
    ['escaped', (text) => `{"message":"${escaped(text)}"}`],
    ['in base64', (text) => `{"header":"${inBase64(text)}"}`],
  ])('is masked %s', (_how, around) => {
    const found = scrubText(around(secret));

    expect(found).toContain('(sensitive)');
    expect([found, readEscapes(found)].filter((text) => text.includes(secret))).toEqual([]);
    expect(found).not.toContain(inBase64(secret));
  });
});

test.each([
  'The database `aws_db_instance.main` is deleted.',
  '{"what_will_happen":"A queue changes.\\n\\u003cb\\u003e","notes":[]}',
  'arn:aws:iam::123456789012:role/deploy',
  'module.network["eu-central-1"].aws_route_table_association.private[0]',
  'the provider answered 401',
  '',
])('%j stays unchanged', (text) => {
  expect(scrubText(text)).toBe(text);
});

test('scrubbed text stays unchanged when scrubbed again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom(...CANARY_FORMS.map(([, secret]) => secret)))),
      (parts) => {
        const once = scrubText(parts.join(' '));

        expect(scrubText(once)).toBe(once);
      },
    ),
    { numRuns: 300 },
  );
});

test.each(['A', 'aB3+', 'sk-', '\\u0041', 'https://a:', 'eyJ', 'password=', '-----BEGIN '])(
  'half a megabyte of %s is scrubbed completely',
  (unit) => {
    const text = unit.repeat(Math.ceil(524_288 / unit.length));

    expect(scrubText(`${text} password=hunter2hunter2`)).not.toContain('hunter2hunter2');
  },
);

function readEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

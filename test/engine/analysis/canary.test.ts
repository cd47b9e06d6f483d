/** Secrets at random places of a plan that are marked there must not appear in any output, in any form. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyzePlan } from '../../../engine/index.ts';
import type { JsonValue } from '../../../engine/model/result.ts';
import { entry, planText } from './plans.ts';

/** Recognizable strings of six or more characters that JSON, URLs and base64 encode differently. */
const canary = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9]{4,20}$/), fc.constantFrom('', '"', '\\', '/ü', '<&>', ' x', '\n', '="'))
  .map(([body, odd]) => `cNr${odd}${body}`);
const plain = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));

/** Where else the secret occurs: alone, inside a text, as a key, in JSON, or nowhere. */
const EMBEDDINGS: ((secret: string) => JsonValue)[] = [
  (secret) => secret,
  (secret) => `postgres://app:${secret}@db/app`,
  (secret) => JSON.stringify({ nested: { value: secret } }),
  (secret) => [{ deep: [`--flag=${secret}`] }],
  (secret) => ({ [secret]: 1 }),
  (secret) => Buffer.from(secret).toString('base64'),
  () => 'nothing',
];

const place = fc.record({
  secret: canary,
  depth: fc.integer({ min: 0, max: 3 }),
  list: fc.boolean(),
  whole: fc.boolean(),
  neighbor: plain,
  embedding: fc.constantFrom(...EMBEDDINGS),
  where: fc.constantFrom('before', 'after', 'both', 'drift', 'no-op', 'output'),
  type: fc.constantFrom('aws_instance', 'aws_db_instance', 'aws_iam_policy', 'aws_security_group', 'null_resource'),
  inAddress: fc.boolean(),
});
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

/** A value that contains the secret at some depth, and the mask that marks it or a container around it. */
function wrap({ secret, depth, list, whole, neighbor }: Place): { value: JsonValue; mask: JsonValue } {
  let value: JsonValue = secret;
  let mask: JsonValue = true;
  for (let level = 0; level < depth; level += 1) {
    value = list ? [neighbor, value] : { n: neighbor, inner: value };
    if (!(whole && level > 0)) mask = list ? [false, mask] : { inner: mask };
  }
  return { value, mask };
}

function buildPlan(places: Place[]): string {
  const resource_changes: unknown[] = [];
  const resource_drift: unknown[] = [];
  const output_changes: Record<string, unknown> = {};
  for (const [i, made] of places.entries()) {
    const { value, mask } = wrap(made);
    const side = { user_data: value, note: made.embedding(made.secret) };
    const marked = { user_data: mask };
    const other = { user_data: 'x', note: 'other' };
    const change =
      made.where === 'before'
        ? { before: side, after: other, before_sensitive: marked, after_sensitive: {} }
        : made.where === 'after'
          ? { before: other, after: side, before_sensitive: {}, after_sensitive: marked }
          : { before: side, after: { ...side, more: 1 }, before_sensitive: marked, after_sensitive: marked };
    const actions = made.where === 'no-op' ? ['no-op'] : ['update'];
    const address = made.inAddress ? `a.b["${made.secret}"]` : `a.b[${i}]`;
    const made_entry = entry(made.type, 'b', { ...change, actions }, { address });
    if (made.where === 'drift') resource_drift.push(made_entry);
    else if (made.where !== 'output') resource_changes.push(made_entry);
    else output_changes[`o${i}`] = { actions: ['update'], before: null, after: value, after_sensitive: mask };
    output_changes[`copy${i}`] = { actions: ['create'], before: null, after: made.embedding(made.secret) };
    resource_changes.push(
      entry('aws_lambda_function', `l${i}`, { before: {}, after: { c: made.embedding(made.secret) } }),
    );
  }
  return planText({ resource_changes, resource_drift, output_changes });
}

function collectEncodings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ];
}

test('no marked value appears in the result or its narrative', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 4 }), (places) => {
      const analysis = analyzePlan(buildPlan(places));

      const output = [JSON.stringify(analysis), ...collectStrings(analysis as unknown as JsonValue)].join('\n');
      const found = places.flatMap(({ secret }) => collectEncodings(secret)).filter((form) => output.includes(form));
      expect(found).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

/** Every string and key of the parsed JSON. */
function collectStrings(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...collectStrings(member as JsonValue)]);
}

test('a value that a later entry marks leaves no digest in an earlier entry', () => {
  const secret = 'hunter2-hunter2';
  const update = (name: string, before_sensitive: JsonValue) =>
    entry('aws_instance', name, { before: { note: secret }, after: { note: 'x' }, before_sensitive });
  const readFingerprints = (mask: JsonValue) => {
    const text = planText({ resource_changes: [update('a', {}), update('b', mask)] });
    const { changes } = analyzePlan(text, { noise_key: Buffer.alloc(32, 1) });
    return changes.find((change) => change.name === 'a')?.noise.fingerprints;
  };

  expect(readFingerprints({})).toHaveLength(1);
  expect(readFingerprints({ note: true })).toEqual([]);
});

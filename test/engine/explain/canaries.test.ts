import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildPrompt } from '../../../engine/explain/index.ts';
import { analyzePlan } from '../../../engine/index.ts';
import { buildEntry, buildPlan, type Entry, GRAVE } from './plans.ts';

/** Places of a secret in a plan, marked or not. */
type Place = (canary: string, i: number) => { entries?: Entry[]; more?: Record<string, unknown> };

const thing = (i: number, after: Record<string, unknown>, more: Partial<Entry> = {}): { entries: Entry[] } => {
  const before = Object.fromEntries(Object.keys(after).map((key) => [key, null]));
  return { entries: [{ address: `aws_thing.t${i}`, type: 'aws_thing', before, after, ...more }] };
};

const PLACES: Record<string, Place> = {
  'marked as sensitive': (c, i) => thing(i, { port_name: c }, { after_sensitive: { port_name: true } }),
  'marked before': (c, i) => ({
    entries: [
      { address: `aws_thing.t${i}`, before: { mode: c }, after: { mode: 'on' }, before_sensitive: { mode: true } },
    ],
  }),
  'marked inside a list': (c, i) =>
    thing(i, { rules: [{ mode: c }] }, { after_sensitive: { rules: [{ mode: true }] } }),
  'marked in one place, shown in another': (c, i) =>
    thing(i, { a: c, mode: `x-${c}-y`, list: [c] }, { after_sensitive: { a: true } }),
  'marked there, a key here': (c, i) => ({
    entries: [
      { address: `aws_thing.t${i}["${c}"]`, index: c, before: { a: 1 }, after: { a: c }, after_sensitive: { a: true } },
    ],
  }),
  'under a secret-like name': (c, i) => thing(i, { master_password: c, api_token: c, secret_key_base: c }),
  'a known secret attribute': (c, i) => thing(i, { value: c }, { type: 'aws_ssm_parameter' }),
  'a description': (c, i) => thing(i, { description: c }),
  'free text': (c, i) => thing(i, { notes: `the word is ${c}, do not tell`, summary_line: c, mode: c }),
  'a tag': (c, i) => thing(i, { tags: { Owner: c } }),
  'an environment variable': (c, i) => thing(i, { environment: [{ variables: { DB: c, DB_PASSWORD: c } }] }),
  user_data: (c, i) => thing(i, { user_data: `#!/bin/sh\nexport PASSWORD=${c}\n` }),
  'user_data in base64': (c, i) => thing(i, { user_data_base64: Buffer.from(`PASSWORD=${c}`).toString('base64') }),
  'a connection string': (c, i) =>
    thing(i, { endpoint: `postgres://app:${c}@db.internal:5432/app`, dsn: `Server=x;Password=${c}` }),
  'a JSON document': (c, i) => thing(i, { container_definitions: JSON.stringify([{ name: 'DB_PASSWORD', value: c }]) }),
  'a deleted resource': (c, i) => ({
    entries: [{ address: `aws_thing.t${i}`, actions: ['delete'], before: { description: c, mode: c, content: c } }],
  }),
  'an output': (c, i) => ({
    more: { output_changes: { [`o${i}`]: { actions: ['create'], before: null, after: c, after_unknown: false } } },
  }),
  'a marked output': (c, i) => ({
    more: {
      output_changes: {
        [`o${i}`]: {
          actions: ['update'],
          before: `${c}0`,
          after: c,
          after_unknown: false,
          before_sensitive: true,
          after_sensitive: true,
        },
      },
    },
  }),
  drift: (c, i) => ({
    more: {
      resource_drift: [
        buildEntry({ address: `aws_thing.t${i}`, before: { note: 'a', mode: 'b' }, after: { note: c, mode: c } }),
      ],
    },
  }),
  'a variable': (c) => ({ more: { variables: { db: { value: c } } } }),
  'the configuration': (c) => ({
    more: { configuration: { provider_config: { aws: { expressions: { secret_key: { constant_value: c } } } } } },
  }),
  'the prior state': (c) => ({
    more: {
      prior_state: { values: { root_module: { resources: [{ address: 'x.y', values: { a: c } }] } } },
      planned_values: { root_module: { resources: [{ address: 'x.y', values: { a: c } }] } },
    },
  }),
  'a check': (c) => ({
    more: {
      checks: [{ address: { to_display: 'check.a' }, status: 'fail', instances: [{ problems: [{ message: c }] }] }],
    },
  }),
};

/** Secrets in common formats: words, hex, base64, digits, sentences. */
const canary = fc.oneof(
  fc.stringMatching(/^[a-f0-9]{16,40}$/),
  fc.stringMatching(/^[A-Za-z0-9+]{12,40}$/),
  fc.stringMatching(/^[a-z]{5,9}-[a-z]{5,9}-[a-z]{5,9}$/),
  fc.stringMatching(/^[A-Z][a-z]{7,15}[0-9]{2}!$/),
  fc.stringMatching(/^[1-9][0-9]{9,15}$/),
  fc.stringMatching(/^[a-z]{4,9} [a-z]{4,9} [a-z]{4,9}$/),
);

const RUNS = Math.ceil(1_000 / Object.keys(PLACES).length);

describe.each(Object.entries(PLACES))('a secret in %s', (_, place) => {
  test.each(['redacted', 'names_only'] as const)('never appears in the prompt with %s', (send_values) => {
    fc.assert(
      fc.property(canary, fc.nat(99), (secret, i) => {
        const { entries = [], more = {} } = place(secret, i);
        const plan = buildPlan([...GRAVE, ...entries], more);
        const { system, user } = buildPrompt(analyzePlan(plan), { send_values });

        expect(plan.includes(secret) || plan.includes(Buffer.from(secret).toString('base64').slice(4, -4))).toBe(true);
        expect(system + user).not.toContain(secret);
      }),
      { numRuns: RUNS },
    );
  });
});

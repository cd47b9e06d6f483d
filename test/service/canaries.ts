/** Recognizable secrets, and all places in a plan that can contain one. */
import type { Knex } from 'knex';
import { buildEntry, type Entry } from '../engine/explain/plans.ts';

const CANARY_PREFIX = 'CANARYQ7';
/** A part of a secret is as bad as the whole. */
const CANARY_PATTERN = new RegExp(`${CANARY_PREFIX}\\d{4}`, 'g');

let made = 0;
/** base64 hides the marker, so these are searched for literally. */
const encoded: string[] = [];

/** A new unique secret of sixteen characters. */
export function canary(): string {
  made += 1;
  return `${CANARY_PREFIX}${String(made).padStart(4, '0')}WXYZ`;
}

export function countCanaries(): number {
  return made;
}

/** The canaries that a text contains. */
export function canariesIn(text: string): string[] {
  return [...new Set([...(text.match(CANARY_PATTERN) ?? []), ...encoded.filter((one) => text.includes(one))])];
}

/** Every row of every table, with bytes decoded as text. */
export async function dumpRows(admin_db: Knex): Promise<string> {
  const { rows } = await admin_db.raw(
    `select format('select t::text as row from %I.%I t', schemaname, tablename) as sql from pg_tables
     where schemaname = 'public'`,
  );
  const dumped: string[] = [];
  for (const { sql } of rows) {
    for (const { row } of (await admin_db.raw(sql)).rows) {
      dumped.push(
        row.replace(/\\+x([0-9a-f]{2,})/g, (_: string, hex: string) => Buffer.from(hex, 'hex').toString('latin1')),
      );
    }
  }
  return dumped.join('\n');
}

/** Forms that identify a secret in any text. */
export const FORMS: ((secret: string) => string)[] = [
  (c) => `AKIA${c}`,
  (c) => `ghp_${c.repeat(3)}`,
  (c) => `glpat-${c}abcd`,
  (c) => `xoxb-1234567890-${c}`,
  (c) => `sk_live_${c}`,
  (c) => `sk-ant-${c}${c}`,
  (c) => `npm_${c}${c}abcd`,
  (c) => `hvs.${c}${c}`,
  (c) => `AIza${c}${c}abc`,
  (c) => `postgres://app:${c}@db.internal:5432/app`,
  (c) => `Server=db;User=app;Password=${c}`,
  (c) => `-----BEGIN PRIVATE KEY-----\n${c}\n-----END PRIVATE KEY-----`,
  (c) => `eyJhbGciOiJub25l.${c}.${c}`,
];

/** A secret in the next of the forms. */
export function recognizableSecret(): string {
  const one = canary();
  return (FORMS[made % FORMS.length] as (secret: string) => string)(one);
}

function inBase64(text: string): string {
  const code = Buffer.from(text).toString('base64');
  encoded.push(code.slice(4, -4));
  return code;
}

interface Placed {
  entry?: Partial<Entry>;
  output?: object;
  variable?: object;
  /** The sections next to the changes; those of all places are merged. */
  value?: Record<string, unknown>;
  constant?: unknown;
  drift?: Partial<Entry>;
  problem?: string;
}

const before = (after: Record<string, unknown>) => Object.fromEntries(Object.keys(after).map((key) => [key, null]));
const set = (after: Record<string, unknown>, more: Partial<Entry> = {}): Placed => ({
  entry: { type: 'aws_thing', before: before(after), after, ...more },
});
const output_change = { actions: ['create'], before: null, after_unknown: false };

/** The content of a place, created for each copy. */
const PLACES: Record<string, () => Placed> = {
  'a marked attribute': () => set({ port_name: canary() }, { after_sensitive: { port_name: true } }),
  'a marked attribute that goes': () => ({
    entry: { before: { mode: canary() }, after: { mode: 'on' }, before_sensitive: { mode: true } },
  }),
  'a list with a marked member': () =>
    set({ rules: [{ mode: canary() }] }, { after_sensitive: { rules: [{ mode: true }] } }),
  'a fully marked resource': () => set({ a: canary(), b: { c: [canary()] } }, { after_sensitive: true }),
  'an attribute next to the marked one': () => {
    const one = canary();
    return set({ a: one, mode: `x-${one}-y`, list: [one] }, { after_sensitive: { a: true } });
  },
  'an attribute with a secret-like name': () => set({ master_password: canary(), api_token: canary() }),
  'an attribute known to be secret': () => set({ value: canary() }, { type: 'aws_ssm_parameter' }),
  'a description': () => set({ description: `use ${recognizableSecret()}` }),
  'a tag': () => set({ tags: { Owner: recognizableSecret() } }),
  'an environment': () => set({ environment: [{ variables: { DB: recognizableSecret(), DB_PASSWORD: canary() } }] }),
  user_data: () => set({ user_data: `#!/bin/sh\nexport PASSWORD=${canary()}\n` }),
  'user_data in base64': () => set({ user_data_base64: inBase64(`PASSWORD=${canary()}`) }),
  'a JSON document': () => set({ container_definitions: JSON.stringify([{ name: 'DB_PASSWORD', value: canary() }]) }),
  'a deleted resource': () => ({
    entry: { actions: ['delete'], before: { a: canary(), note: recognizableSecret() }, before_sensitive: { a: true } },
  }),
  'an output': () => ({ output: { ...output_change, after: recognizableSecret() } }),
  'a marked output': () => ({ output: { ...output_change, after: { a: [canary()] }, after_sensitive: true } }),
  'a variable': () => ({ variable: { value: canary() } }),
  'a provider': () => ({ constant: canary() }),
  'prior state and planned values': () => ({ value: { a: canary() } }),
  drift: () => ({
    drift: {
      before: { note: 'a', mode: 'b' },
      after: { note: canary(), mode: recognizableSecret() },
      after_sensitive: { note: true },
    },
  }),
  'a check': () => ({ problem: `it says ${recognizableSecret()}` }),
};

/** The riskiest change of every plan, which every summary names first. */
export const GONE = 'aws_db_instance.shown';

/** Always changes, including its secrets. */
export const KEPT = 'aws_sqs_queue.kept';

/** A plan with a secret in every place, `times` over; `shown` is in it where no secret is suspected. */
export function planOfCanaries(times: number, shown: string): string {
  const placed = Array.from({ length: times }, () => Object.values(PLACES).map((place) => place())).flat();
  const numbered = placed.map((one, i) => ({ one, name: `t${i}`, address: `aws_thing.t${i}` }));
  const pick = <T>(select: (one: Placed, name: string, address: string) => T | undefined): T[] =>
    numbered.map(({ one, name, address }) => select(one, name, address)).filter((found) => found !== undefined);
  const named = (select: (one: Placed) => object | undefined) =>
    Object.fromEntries(pick((one, name) => (select(one) === undefined ? undefined : [name, select(one)])));
  const resources = pick(
    ({ value }, _, address) => value && { address, mode: 'managed', type: 'aws_thing', values: value },
  );

  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    variables: named(({ variable }) => variable),
    resource_changes: [
      buildEntry({ address: GONE, type: 'aws_db_instance', actions: ['delete'], before: { identifier: shown } }),
      buildEntry({
        address: KEPT,
        before: { delay_seconds: 5, policy: canary(), note: recognizableSecret() },
        after: { delay_seconds: 30, policy: canary(), note: recognizableSecret() },
        before_sensitive: { policy: true },
        after_sensitive: { policy: true },
      }),
      ...pick(({ entry }, name, address) => entry && buildEntry({ address, name, ...entry })),
    ],
    resource_drift: pick(({ drift }, name, address) => drift && buildEntry({ address, name, ...drift })),
    output_changes: named(({ output }) => output),
    prior_state: { values: { root_module: { resources } } },
    planned_values: { root_module: { resources } },
    configuration: {
      provider_config: named(({ constant }) =>
        constant === undefined ? undefined : { name: 'aws', expressions: { secret_key: { constant_value: constant } } },
      ),
    },
    checks: pick(({ problem }, name) =>
      problem === undefined
        ? undefined
        : {
            address: { to_display: `check.${name}` },
            status: 'fail',
            instances: [{ problems: [{ message: problem }] }],
          },
    ),
  });
}

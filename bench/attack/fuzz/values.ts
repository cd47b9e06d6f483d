import type { Dice } from '../dice.ts';
import type { Schema } from './contract.ts';

type Resolve = (schema: Schema) => Schema;

interface Bounds extends Schema {
  minimum?: number;
  minLength?: number;
  minItems?: number;
  pattern?: string;
  default?: unknown;
}

const MAX_DEPTH = 6;
const LONG_TEXTS = [1_000, 10_000, 100_000];

/** Texts that are known to break parsers, stores, logs and headers. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\n',
  '\t',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202eevil',
  '\ufeff',
  '\u00a0',
  '\u007f',
  '\u0085',
  "'; drop table orgs; --",
  '$1 $2 ? ?? :name',
  '%s%n%00%zz',
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '{"$gt": ""}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'İıſK',
  'e\u0301',
  '𝕏'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(10),
  '(((((((((((a+)+)+)+)+',
  '[[[[[[[',
  '**/**/**/**/**/**/**/x',
  '0',
  '-1',
  '1e400',
  'null',
  'true',
  '9007199254740993',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:60+23:59',
  '2026-01-01T00:00:00.123456789123456789-00:00',
  'http://127.0.0.1:1/',
  'https://[::1]/',
  'https://user:pass@host:99999/',
  'javascript:alert(1)',
  'a@b',
  '"a b"@example.com',
  'ab'.repeat(16),
] as const;

export const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-300,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
] as const;

/** A random JSON value of any type. */
export function pickHostileValue(dice: Dice, depth = 0): unknown {
  const kind = dice.below(depth > 2 ? 5 : 7);
  if (kind === 0) return dice.pick([null, true, false]);
  if (kind === 1) return dice.pick(HOSTILE_NUMBERS);
  if (kind < 4) return dice.pick(HOSTILE_TEXTS);
  if (kind === 4) return 'x'.repeat(dice.pick(LONG_TEXTS));
  if (kind === 5) return Array.from({ length: dice.below(4) }, () => pickHostileValue(dice, depth + 1));
  return Object.fromEntries(
    Array.from({ length: dice.below(4) }, () => [dice.pick(HOSTILE_TEXTS), pickHostileValue(dice, depth + 1)]),
  );
}

/** A value that the schema allows, often at a bound. Patterns are matched on a best-effort basis. */
export function buildValidValue(dice: Dice, resolve: Resolve, entry: Schema, depth = 0): unknown {
  const schema = resolve(entry) as Bounds;
  if (schema.oneOf !== undefined) return buildValidValue(dice, resolve, dice.pick(schema.oneOf), depth);
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  const types = [schema.type ?? 'string'].flat();
  const type = dice.pick(types);
  if (type === 'null') return null;
  if (type === 'boolean') return dice.chance(0.5);
  if (type === 'integer' || type === 'number') return buildValidNumber(dice, schema);
  if (type === 'array') return buildValidList(dice, resolve, schema, depth);
  if (type === 'object') return buildValidObject(dice, resolve, schema, depth);
  return buildValidText(dice, schema);
}

function buildValidNumber(dice: Dice, { minimum = 0, maximum = 2 ** 31 - 1 }: Bounds): number {
  return dice.pick([minimum, maximum, Math.min(maximum, minimum + 1), Math.min(maximum, minimum + dice.below(100))]);
}

function buildValidList(dice: Dice, resolve: Resolve, schema: Bounds, depth: number): unknown[] {
  const least = schema.minItems ?? 0;
  const most = Math.min(schema.maxItems ?? 3, 100);
  const length = dice.chance(0.05) ? most : Math.min(most, least + dice.below(3));
  if (depth >= MAX_DEPTH || schema.items === undefined) return [];
  const { items } = schema;
  return Array.from({ length }, () => buildValidValue(dice, resolve, items, depth + 1));
}

function buildValidObject(dice: Dice, resolve: Resolve, schema: Bounds, depth: number): Record<string, unknown> {
  const parts = [schema, ...(schema.allOf ?? []).map(resolve)];
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const members = parts
    .flatMap((part) => Object.entries(part.properties ?? {}))
    .filter(([name]) => required.has(name) || (depth < MAX_DEPTH && dice.chance(0.4)));
  return Object.fromEntries(members.map(([name, member]) => [name, buildValidValue(dice, resolve, member, depth + 1)]));
}

function buildValidText(dice: Dice, { format, minLength = 0, maxLength = 300, pattern }: Bounds): string {
  if (format === 'date-time') return dice.pick(['2026-01-01T00:00:00Z', '2027-06-30T23:59:59.999+02:00']);
  if (format === 'uuid') return `${dice.hex(8)}-${dice.hex(4)}-7${dice.hex(3)}-8${dice.hex(3)}-${dice.hex(12)}`;
  if (format === 'email') return `${dice.hex(10)}@example.com`;
  if (format === 'uri') return `https://${dice.hex(6)}.example.com/a`;
  if (pattern === '^[0-9a-f]{32}$') return dice.hex(32);
  const length = dice.pick([minLength, Math.max(minLength, 8), Math.max(minLength, Math.min(maxLength, 2_000))]);
  return dice.hex(length);
}

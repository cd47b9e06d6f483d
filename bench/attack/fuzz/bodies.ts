import { gzipSync } from 'node:zlib';
import type { Dice } from '../dice.ts';
import type { Contract, Schema } from './contract.ts';
import { buildValidValue, HOSTILE_TEXTS, pickHostileValue } from './values.ts';

export interface FuzzBody {
  bytes: Buffer;
  headers: Record<string, string>;
  /** The parsed value, if the bytes are valid JSON; checked against the contract. */
  value?: unknown;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The value as a JSON body. */
export function toPlainBody(value: unknown): FuzzBody {
  return { bytes: Buffer.from(JSON.stringify(value)), headers: JSON_TYPE, value };
}

/** The valid body with one to three members replaced, added or removed. */
export function mutateBody(dice: Dice, contract: Contract, entry: Schema, valid: unknown): FuzzBody {
  const value = structuredClone(valid);
  for (let changes = 1 + dice.below(3); changes > 0; changes -= 1) changeSomewhere(dice, contract, entry, value);
  return toPlainBody(value);
}

/** Walks down the value and its schema at random, and changes the value that it reaches. */
function changeSomewhere(dice: Dice, contract: Contract, entry: Schema, value: unknown): void {
  const schema = contract.resolve(entry);
  const form = schema.oneOf === undefined ? schema : contract.resolve(dice.pick(schema.oneOf));
  if (Array.isArray(value)) changeList(dice, contract, form.items ?? {}, value);
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  const known = Object.entries(form.properties ?? {});
  if (known.length === 0 || dice.chance(0.05)) {
    record[dice.pick(HOSTILE_TEXTS)] = pickHostileValue(dice);
    return;
  }
  const [name, member] = dice.pick(known);
  const inner = record[name];
  if (typeof inner === 'object' && inner !== null && dice.chance(0.7)) {
    changeSomewhere(dice, contract, member, inner);
  } else if (dice.chance(0.15)) {
    delete record[name];
  } else {
    record[name] = dice.chance(0.4) ? buildValidValue(dice, contract.resolve, member) : pickHostileValue(dice);
  }
}

function changeList(dice: Dice, contract: Contract, items: Schema, list: unknown[]): void {
  const kind = dice.below(5);
  const at = dice.below(list.length || 1);
  if (kind === 0) list.length = 0;
  else if (kind === 1) list.push(...Array.from({ length: dice.pick([2, 200]) }, () => list[0] ?? null));
  else if (kind === 2) list[at] = pickHostileValue(dice);
  else if (kind === 3) list[at] = buildValidValue(dice, contract.resolve, items);
  else changeSomewhere(dice, contract, items, list[at]);
}

/** Bytes that are not one valid JSON object. */
export function breakBody(dice: Dice, valid: unknown): FuzzBody {
  const text = JSON.stringify(valid ?? {});
  const make = dice.pick(BROKEN);
  const made = make(text, dice);
  return 'bytes' in made ? made : { bytes: made, headers: JSON_TYPE };
}

const withHeaders = (bytes: Buffer, headers: Record<string, string>): FuzzBody => ({
  bytes,
  headers: { ...JSON_TYPE, ...headers },
});

const BROKEN: ((text: string, dice: Dice) => Buffer | FuzzBody)[] = [
  (text, dice) => Buffer.from(text.slice(0, dice.below(text.length))),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`${text},`),
  (text) => Buffer.from(`{"a":1,"a":2,${text.slice(1)}`),
  (text) => Buffer.from(`{"__proto__":{"role":"owner"},${text.slice(1)}`),
  (text) => Buffer.from(`{"constructor":{"prototype":{}},${text.slice(1)}`),
  (text) => Buffer.from(text.replace(/"[^"]*"$/, '"\\ud800"')),
  (_text, dice) => Buffer.from('['.repeat(dice.pick([60, 1_000, 100_000]))),
  (_text, dice) => {
    const depth = dice.pick([60, 1_000, 20_000]);
    return Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  },
  () => Buffer.from(''),
  (_text, dice) =>
    Buffer.from(dice.pick(['null', '[]', '"x"', '1', '{"a":NaN}', "{'a':1}", '{"a":01}', '{"a":1e999}'])),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x7d])]),
  (_text, dice) => Buffer.from(Array.from({ length: dice.below(80) }, () => dice.below(256))),
  (text) => withHeaders(gzipSync(text), { 'content-encoding': 'gzip' }),
  (text) => withHeaders(gzipSync(text).subarray(0, -4), { 'content-encoding': 'gzip' }),
  (text) => withHeaders(Buffer.concat([gzipSync(text), gzipSync(text)]), { 'content-encoding': 'gzip' }),
  () => withHeaders(gzipSync(Buffer.alloc(3_000_000, 0x20)), { 'content-encoding': 'gzip' }),
  (text, dice) =>
    withHeaders(Buffer.from(text), { 'content-encoding': dice.pick(['gzip', 'br', 'deflate', 'gzip, gzip', '']) }),
  (text, dice) => withHeaders(Buffer.from(text), { 'content-type': dice.pick(CONTENT_TYPES) }),
  (text) => ({ bytes: Buffer.from(text), headers: {} }),
  () => withHeaders(Buffer.from(`{"a":"${'x'.repeat(1_100_000)}"}`), {}),
];

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;charset=utf-8',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  'a/b; c="d',
  '',
];

/** The members of the body, form-encoded. */
export function toFormBody(dice: Dice, valid: unknown): FuzzBody {
  const pairs = Object.entries(valid as Record<string, unknown>).map(([name, value]) => {
    const text = dice.chance(0.2) ? '%zz' : encodeURIComponent(String(value));
    return `${name}=${text}`;
  });
  if (dice.chance(0.3)) pairs.push(dice.pick(['scope=a+b', 'audience=x', '=', '&&', 'a=%ff', '__proto__=1']));
  return { bytes: Buffer.from(pairs.join('&')), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

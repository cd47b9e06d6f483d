import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';

/** Turns what a cloud shows into what Terraform holds; undefined if it cannot. */
type Transform = (value: JsonValue, parameter: string) => JsonValue | undefined;

/** Words with which clouds switch something on. */
const ON: ReadonlySet<string> = new Set(['enabled', 'enable', 'on', 'true', 'yes']);

const INGRESS: Readonly<Record<string, string>> = {
  all: 'INGRESS_TRAFFIC_ALL',
  internal: 'INGRESS_TRAFFIC_INTERNAL_ONLY',
  'internal-and-cloud-load-balancing': 'INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER',
};

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  number: (value) =>
    typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value,
  /** A document as the text that Terraform holds. */
  json: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  lower: (value) => String(value).toLowerCase(),
  not: (value) => (typeof value === 'boolean' ? !value : undefined),
  /** The name at the end of a path. */
  last: (value) => (typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : undefined),
  after: (value, mark) => (typeof value === 'string' ? value.slice(value.indexOf(mark) + 1) : undefined),
  https: (value) => String(value).replace(/^https:\/\//, ''),
  first: (value) => (Array.isArray(value) ? (value[0] ?? null) : value),
  words: (value) => (typeof value === 'string' ? value.split(',').map((word) => word.trim()) : undefined),
  enabled: (value) => (typeof value === 'boolean' ? value : ON.has(String(value).toLowerCase())),
  present: (value) => isObject(value) && Object.keys(value).length > 0,
  is: (value, expected) => value === expected,
  pluck: (value, member) => (Array.isArray(value) ? value.flatMap((item) => pluck(item, member)) : undefined),
  /** A list of names and values as a map. */
  pairs: (value) => (Array.isArray(value) ? toMap(value) : isObject(value) ? value : undefined),
  gigabytes: (value) => (typeof value === 'number' ? value / 1_073_741_824 : undefined),
  megabytes: (value) => (typeof value === 'number' ? value * 1_024 : undefined),
  ingress: (value) => INGRESS[String(value)] ?? String(value),
  /** Rules of a security group are compared as a whole. */
  rules: (value) => value,
};

export function applyTransforms(value: JsonValue, names: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const text of names) {
    if (current === undefined) return undefined;
    const [name = '', parameter = ''] = text.split(':');
    const transform = TRANSFORMS[name];
    if (transform === undefined) throw new Error(`There is no transform named ${name}.`);
    current = transform(current, parameter);
  }
  return current;
}

function pluck(item: JsonValue, member: string): JsonValue[] {
  const found = isObject(item) && Object.hasOwn(item, member) ? item[member] : undefined;
  return found === undefined || found === null ? [] : [found];
}

function toMap(items: readonly JsonValue[]): JsonObject {
  const pairs = items.filter(isObject).map((item): [string, JsonValue] => {
    const name = item['Key'] ?? item['Name'] ?? item['key'] ?? item['name'];
    return [String(name), item['Value'] ?? item['value'] ?? ''];
  });
  return Object.fromEntries(pairs);
}

import { isObject } from '../../lib/is-object.ts';

/** The JSON Schema keywords that every provider enforces. Each provider rejects a request with some other keyword. */
const KEPT = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'anyOf',
  '$defs',
  '$ref',
]);
/** Keywords whose members are property names. */
const NAMED = new Set(['properties', '$defs']);

/**
 * Reduces a schema to the keywords that all providers accept: limits on lengths, sizes and patterns are removed (the
 * reader validates them anyway), and `const` becomes an `enum` with one value.
 */
export function portableSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries('const' in schema ? { ...schema, enum: [schema.const] } : schema);
  return Object.fromEntries(
    entries
      .filter(([keyword]) => KEPT.has(keyword))
      .map(([keyword, value]) => [keyword, toPortableValue(keyword, value)]),
  );
}

function toPortableValue(keyword: string, value: unknown): unknown {
  if (keyword === 'enum' || keyword === 'required') return value;
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? portableSchema(one) : one));
  if (!isObject(value)) return value;
  if (!NAMED.has(keyword)) return portableSchema(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isObject(one) ? portableSchema(one) : one]),
  );
}

import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/**
 * Normalizes the columns of a BigQuery table by removing defaults: the mode NULLABLE, and null. The order of columns is
 * kept.
 *
 * @see https://cloud.google.com/bigquery/docs/schemas
 */
export function normalizeTableSchema(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(normalizeTableSchema);
  if (!isObject(schema)) return schema;
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(schema)) {
    if (value === null || (key === 'mode' && value === 'NULLABLE')) continue;
    copy[key] = key === 'fields' ? normalizeTableSchema(value) : value;
  }
  return copy;
}

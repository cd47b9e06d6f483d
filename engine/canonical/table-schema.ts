import type { JsonObject, JsonValue } from '../result.ts';
import { isObject } from './values.ts';

/**
 * The columns of a BigQuery table without what they would be anyway: mode NULLABLE, and null. Columns keep
 * their order.
 *
 * @see https://cloud.google.com/bigquery/docs/schemas
 */
export function normaliseTableSchema(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(normaliseTableSchema);
  if (!isObject(schema)) return schema;
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(schema)) {
    if (value === null || (key === 'mode' && value === 'NULLABLE')) continue;
    copy[key] = key === 'fields' ? normaliseTableSchema(value) : value;
  }
  return copy;
}

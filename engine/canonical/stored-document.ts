import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/** Members that a service adds to the documents that it stores, and ignores or replaces when it receives them. */
const OWN: ReadonlySet<string> = new Set(
  (
    'id version iteration etag guid url author_handle author_name creator created created_at modified modified_at ' +
    'updated_at CreateIndex ModifyIndex Hash'
  ).split(' '),
);

/** Normalizes an exported document, such as a dashboard, by removing what the service itself sets. */
export function normalizeStoredDocument(document: JsonValue): JsonValue {
  if (!isObject(document)) return document;
  const copy: JsonObject = Object.create(null);
  for (const [key, value] of Object.entries(document)) if (!OWN.has(key)) copy[key] = value;
  return copy;
}

import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../result.ts';

/**
 * A Google access policy (`policy_data`) in the form in which two policies of one meaning are equal.
 *
 * Bindings of one role under one condition are one binding; bindings, members, audit configs, their log types and exempted
 * members have no order and hold nothing twice. `version` and `etag` are kept, and so is the case of members. A value that
 * is no policy comes back as it is.
 *
 * @see https://cloud.google.com/iam/docs/reference/rest/v1/Policy
 */
export function normaliseGooglePolicy(document: JsonValue): JsonValue {
  if (!isObject(document)) return document;
  return {
    ...document,
    ...(Array.isArray(document['bindings']) && { bindings: merged(document['bindings'], 'members', sorted) }),
    ...(Array.isArray(document['auditConfigs']) && {
      auditConfigs: merged(document['auditConfigs'], 'auditLogConfigs', mergedLogs),
    }),
  };
}

function mergedLogs(logs: JsonValue[]): JsonValue[] {
  return merged(logs, 'exemptedMembers', sorted);
}

/** Entries that differ in one list alone become one entry with the items of all; entries of another form stay apart. */
function merged(entries: JsonValue[], list: string, normalise: (items: JsonValue[]) => JsonValue[]): JsonValue[] {
  const groups = new Map<string, { rest: JsonObject; items: JsonValue[] }>();
  const others: JsonValue[] = [];
  for (const entry of entries) {
    const items = isObject(entry) ? entry[list] : undefined;
    if (!isObject(entry) || !Array.isArray(items)) {
      others.push(entry);
      continue;
    }
    const { [list]: _items, ...rest } = entry;
    const key = canonicalJson(rest);
    const group = groups.get(key) ?? { rest, items: [] };
    group.items.push(...items);
    groups.set(key, group);
  }
  const joined = [...groups.values()].map(({ rest, items }): JsonValue => ({ ...rest, [list]: normalise(items) }));
  return sorted([...joined, ...others]);
}

function sorted(items: JsonValue[]): JsonValue[] {
  const texts = new Map(items.map((item) => [canonicalJson(item), item]));
  return [...texts.keys()].sort().map((text) => texts.get(text) as JsonValue);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

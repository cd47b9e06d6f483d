import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../result.ts';
import { isObject, sortedSet } from './values.ts';

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
    ...(Array.isArray(document['bindings']) && { bindings: mergeEntries(document['bindings'], 'members', sortedSet) }),
    ...(Array.isArray(document['auditConfigs']) && {
      auditConfigs: mergeEntries(document['auditConfigs'], 'auditLogConfigs', mergeLogs),
    }),
  };
}

function mergeLogs(logs: JsonValue[]): JsonValue[] {
  return mergeEntries(logs, 'exemptedMembers', sortedSet);
}

/** Entries that differ in one list alone become one entry with the items of all; entries of another form stay apart. */
function mergeEntries(entries: JsonValue[], list: string, normalise: (items: JsonValue[]) => JsonValue[]): JsonValue[] {
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
    for (const item of items) group.items.push(item);
    groups.set(key, group);
  }
  const joined = [...groups.values()].map(({ rest, items }): JsonValue => ({ ...rest, [list]: normalise(items) }));
  return sortedSet([...joined, ...others]);
}

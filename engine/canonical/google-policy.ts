import { canonicalJson } from '../lib/canonical-json.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';
import { memberForm } from './names.ts';
import { sortedSet } from './values.ts';

/**
 * Normalizes a Google access policy (`policy_data`), so that equivalent policies are equal.
 *
 * Bindings with the same role and condition are merged. Bindings, members, audit configs, log types and exempted
 * members are sorted and deduplicated; the case of email addresses does not matter. `version` and `etag` are kept. A
 * value that is not a policy is returned unchanged.
 *
 * @see https://cloud.google.com/iam/docs/reference/rest/v1/Policy
 */
export function normalizeGooglePolicy(document: JsonValue): JsonValue {
  if (!isObject(document)) return document;
  return {
    ...document,
    ...(Array.isArray(document['bindings']) && {
      bindings: mergeEntries(document['bindings'], 'members', normalizeMembers),
    }),
    ...(Array.isArray(document['auditConfigs']) && {
      auditConfigs: mergeEntries(document['auditConfigs'], 'auditLogConfigs', mergeLogs),
    }),
  };
}

function normalizeMembers(members: JsonValue[]): JsonValue[] {
  return sortedSet(members.map((member) => (typeof member === 'string' ? memberForm(member) : member)));
}

function mergeLogs(logs: JsonValue[]): JsonValue[] {
  return mergeEntries(logs, 'exemptedMembers', normalizeMembers);
}

/** Merges entries that differ only in one list. Entries with another shape are not merged. */
function mergeEntries(entries: JsonValue[], list: string, normalize: (items: JsonValue[]) => JsonValue[]): JsonValue[] {
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
  const joined = [...groups.values()].map(({ rest, items }): JsonValue => ({ ...rest, [list]: normalize(items) }));
  return sortedSet([...joined, ...others]);
}

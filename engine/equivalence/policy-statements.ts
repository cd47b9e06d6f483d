/** Statements of an AWS policy that together allow or deny the same. */
import { sortedSet } from '../canonical/values.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

/** Members with a list of patterns, of which one has to match. */
const UNIONS = ['Action', 'Resource'];
const MAX_STATEMENTS = 500;

/** Merges statements that differ only in their actions or only in their resources, and drops patterns that others cover. */
export function mergeStatements(statements: readonly JsonValue[]): JsonValue[] {
  if (statements.length > MAX_STATEMENTS) return [...statements];
  let merged = statements.map(dropCovered);
  for (let count = -1; count !== merged.length; ) {
    count = merged.length;
    for (const member of UNIONS) merged = mergeBy(member, merged);
    merged = mergePrincipals(merged);
  }
  return merged;
}

function mergeBy(member: string, statements: readonly JsonValue[]): JsonValue[] {
  const groups = new Map<string, JsonObject[]>();
  const others: JsonValue[] = [];
  for (const statement of statements) {
    if (!isObject(statement) || !Array.isArray(statement[member])) {
      others.push(statement);
      continue;
    }
    const key = keyWithout(statement, member);
    groups.set(key, [...(groups.get(key) ?? []), statement]);
  }
  return [...others, ...[...groups.values()].map((group) => join(member, group))];
}

/** Merges statements that differ only in their principals of one kind, such as services. */
function mergePrincipals(statements: readonly JsonValue[]): JsonValue[] {
  const kinds = statements.map((statement) => (isObject(statement) ? findPrincipals(statement) : null));
  const lifted = statements.map((statement, at) => {
    const found = kinds[at];
    return found == null ? statement : { ...(statement as JsonObject), Principal: found.kind, [LIFTED]: found.items };
  });
  return mergeBy(LIFTED, lifted).map((statement) => {
    if (!isObject(statement) || statement[LIFTED] === undefined) return statement;
    const { [LIFTED]: items, Principal: kind, ...rest } = statement;
    return { ...rest, Principal: { [kind as string]: items as JsonValue } };
  });
}

/** A member that no policy has. */
const LIFTED = '\0principals';

function findPrincipals({ Principal: principal }: JsonObject): { kind: string; items: JsonValue[] } | null {
  if (!isObject(principal ?? null)) return null;
  const [[kind, items] = [], ...others] = Object.entries(principal as JsonObject);
  return kind !== undefined && others.length === 0 && Array.isArray(items) ? { kind, items } : null;
}

function keyWithout(statement: JsonObject, member: string): string {
  const { [member]: _patterns, ...rest } = statement;
  return canonicalJson(rest);
}

function join(member: string, group: readonly JsonObject[]): JsonValue {
  if (group.length === 1) return group[0]!;
  const patterns = group.flatMap((statement) => statement[member] as JsonValue[]);
  return dropCovered({ ...group[0], [member]: sortedSet(patterns) });
}

function dropCovered(statement: JsonValue): JsonValue {
  if (!isObject(statement)) return statement;
  const copy: JsonObject = { ...statement };
  for (const member of UNIONS) {
    const patterns = copy[member];
    if (Array.isArray(patterns)) copy[member] = patterns.filter((one) => !patterns.some((other) => covers(other, one)));
  }
  return copy;
}

/** Whether a pattern that ends in its only star matches everything that another one matches. */
function covers(pattern: JsonValue, other: JsonValue): boolean {
  if (typeof pattern !== 'string' || typeof other !== 'string' || pattern === other) return false;
  const start = pattern.slice(0, -1);
  return pattern.endsWith('*') && !/[*?$]/.test(start) && other.startsWith(start);
}

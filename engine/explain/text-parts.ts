/** The harmless parts in which two queries differ: a threshold, a window, an operator. */
import { hasHarmlessForm } from './harmless-forms.ts';

/** Names of attributes with code of a query language, in which no secrets stand. */
const QUERIES = new Set(
  `query queries expression expressions expr condition conditions filter filters filter_pattern pattern promql criteria
  search metric_query alert_query attribute_condition`.split(/\s+/),
);
const TOKEN = /\d+(?:\.\d+)?[A-Za-z%]{0,3}|[A-Za-z]+|[^A-Za-z0-9\s]+|\s+/g;
const OPERATOR = /^(?:[<>=!~&|]{1,3}|and|or|not|avg|sum|min|max|count|any|all)$/i;
const MAX_TEXT = 4_096;
const MAX_PARTS = 3;

/**
 * @param name the name of the attribute
 * @returns empty if the texts differ in more than three parts, or in a part that is not harmless
 */
export function listTextParts(
  before: string,
  after: string,
  name: string | undefined,
): { before: string; after: string }[] {
  if (!isQueryName(name) || before.length + after.length > MAX_TEXT) return [];
  const [from, to] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  if (from.length !== to.length) return [];
  const parts = from.flatMap((token, i) => (token === to[i] ? [] : [{ before: token, after: to[i]! }]));
  const is_harmless = parts.every((part) => isPart(part.before) && isPart(part.after));
  return is_harmless && parts.length <= MAX_PARTS ? parts : [];
}

/** Whether values under this name are code of a query language. */
export function isQueryName(name: string | undefined): boolean {
  return name !== undefined && QUERIES.has(name.toLowerCase());
}

function isPart(token: string): boolean {
  return OPERATOR.test(token) || hasHarmlessForm(token);
}

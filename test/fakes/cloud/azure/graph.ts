import type { RestCall, RestReply } from '../rest-server.ts';
import { graphError, INVALID_SKIP_TOKEN, RATE_LIMITED } from './errors.ts';
import type { FakeAzure } from './index.ts';

const MAX_PAGE_SIZE = 1_000;

/**
 * `POST /providers/Microsoft.ResourceGraph/resources`: the operators of the query language that the adapter uses, pages
 * of at most 1,000 rows, and the quota headers of each response.
 */
export function queryResources(azure: FakeAzure, { body }: RestCall): RestReply {
  const quota = takeQuota(azure);
  if (quota === undefined) return RATE_LIMITED;
  const { query, subscriptions, options } = body as unknown as QueryRequest;
  const [table = '', ...steps] = query.split('|').map((step) => step.trim());
  const rows = azure.tables[table];
  if (rows === undefined) {
    const message = `Table ${table} is invalid, unsupported or disallowed.`;
    return graphError(400, 'BadRequest', { code: 'DisallowedLogicalTableName', message });
  }
  const offset = readOffset(azure, query, options.$skipToken);
  if (offset === undefined) return INVALID_SKIP_TOKEN;
  // What the caller may not read is left out, without an error.
  const is_visible = azure.roles.some(({ actions }) => actions.includes('*') || actions.includes('*/read'));
  const selected = subscriptions.includes(azure.subscription.id) && is_visible ? runSteps(rows, steps) : [];
  return { status: 200, headers: quota, body: toPage(azure, { query, selected, offset, options }) };
}

interface QueryRequest {
  query: string;
  subscriptions: string[];
  options: { resultFormat?: string; $top?: number; $skipToken?: string };
}

function takeQuota(azure: FakeAzure): Record<string, string> | undefined {
  if (azure.quota_remaining === undefined) return {};
  if (azure.quota_remaining === 0) return undefined;
  azure.quota_remaining -= 1;
  return {
    'x-ms-user-quota-remaining': String(azure.quota_remaining),
    'x-ms-user-quota-resets-after': '00:00:05',
  };
}

type Row = Record<string, unknown>;

function runSteps(rows: readonly Row[], steps: readonly string[]): Row[] {
  let result = [...rows];
  for (const step of steps) {
    const [operator = ''] = step.split(' ');
    const rest = step.slice(operator.length + 1);
    if (operator === 'where') result = result.filter((row) => matches(row, rest));
    else if (operator === 'project') result = result.map((row) => pick(row, rest.split(', ')));
    else if (step === 'order by id asc') result.sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1));
    else throw new Error(`the fake does not know the operator of: ${step}`);
  }
  return result;
}

/** Conditions with `=~`, `and`, `or` and one level of parentheses. */
function matches(row: Row, condition: string): boolean {
  return condition.split(/ or (?![^(]*\))/).some((term) => {
    const factors = term.replace(/^\(|\)$/g, '').split(' and ');
    return factors.every((factor) => {
      const [, column = '', value = ''] = /^([\w.]+) =~ '([^']*)'$/.exec(factor) ?? [];
      const found = column.split('.').reduce<unknown>((from, key) => (from as Row | undefined)?.[key], row);
      return String(found).toLowerCase() === value.toLowerCase();
    });
  });
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}

interface PageOptions {
  query: string;
  selected: Row[];
  offset: number;
  options: QueryRequest['options'];
}

function toPage(azure: FakeAzure, { query, selected, offset, options }: PageOptions): Row {
  const size = Math.min(options.$top ?? 100, MAX_PAGE_SIZE);
  const data = selected.slice(offset, offset + size);
  const has_more = offset + size < selected.length;
  const token = has_more && !azure.cuts_results ? toSkipToken(azure, query, offset + size) : undefined;
  return {
    totalRecords: selected.length,
    count: data.length,
    data: options.resultFormat === 'objectArray' ? data : toTable(data),
    facets: [],
    // A text, not a boolean.
    resultTruncated: has_more && azure.cuts_results ? 'true' : 'false',
    ...(token !== undefined && { $skipToken: token }),
  };
}

function toTable(data: readonly Row[]) {
  const names = Object.keys(data[0] ?? {});
  return {
    columns: names.map((name) => ({ name, type: 'string' })),
    rows: data.map((row) => names.map((name) => row[name])),
  };
}

function toSkipToken({ token_generation }: FakeAzure, query: string, offset: number): string {
  return Buffer.from(JSON.stringify([token_generation, offset, query])).toString('base64');
}

/** @returns undefined if the skip token is not valid (any more) */
function readOffset({ token_generation }: FakeAzure, query: string, token: string | undefined): number | undefined {
  if (token === undefined) return 0;
  try {
    const [generation, offset, of_query] = JSON.parse(Buffer.from(token, 'base64').toString());
    return generation === token_generation && of_query === query ? offset : undefined;
  } catch {
    return undefined;
  }
}

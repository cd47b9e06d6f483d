import type { RestCall, RestReply } from '../rest-server.ts';
import { apiError, DENIED_BY_IAM, INVALID_PAGE_TOKEN } from './errors.ts';
import type { FakeGoogle } from './index.ts';

const MAX_PAGE_SIZE = 500;
const SORTABLE = new Set(['name', 'assetType', 'project', 'displayName', 'location', 'createTime', 'updateTime']);
const LARGE_FIELDS = new Set(['versionedResources', 'attachedResources', 'effectiveTags']);

/**
 * `GET /v1/projects/{id}:searchAllResources`: at most 500 results, large fields only when asked for, and page tokens that
 * belong to one query and expire.
 */
export function searchAllResources(google: FakeGoogle, { path, query }: RestCall): RestReply {
  const scope = decodeURIComponent(/projects\/([^/:]+):/.exec(path)?.[1] ?? '');
  const is_allowed = google.permissions.has('cloudasset.assets.searchAllResources');
  if (!is_allowed || scope !== google.project.project_id) return DENIED_BY_IAM;
  const order = query.get('orderBy') ?? 'name';
  if (!SORTABLE.has(order)) return apiError(400, 'INVALID_ARGUMENT', `Invalid order_by field: ${order}`);
  const offset = readOffset(google, query);
  if (offset === undefined) return INVALID_PAGE_TOKEN;
  const size = Math.min(Number(query.get('pageSize') ?? 0) || 100, MAX_PAGE_SIZE);
  const sorted = [...google.resources].sort((a, b) => (String(a[order]) < String(b[order]) ? -1 : 1));
  const results = sorted.slice(offset, offset + size).map((row) => project(row, query.get('readMask')));
  const end = offset + size;
  const nextPageToken = end < sorted.length ? toPageToken(google, query, end) : undefined;
  return { status: 200, body: { ...(results.length > 0 && { results }), ...(nextPageToken && { nextPageToken }) } };
}

function project(row: Record<string, unknown>, mask: string | null): Record<string, unknown> {
  const fields = mask?.split(',');
  const isShown = (field: string) => (fields === undefined ? !LARGE_FIELDS.has(field) : fields.includes(field));
  return Object.fromEntries(Object.entries(row).filter(([field]) => isShown(field)));
}

/** All other parameters must be those of the first page. */
function fingerprint(query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  rest.delete('pageToken');
  rest.sort();
  return rest.toString();
}

function toPageToken(google: FakeGoogle, query: URLSearchParams, offset: number): string {
  const parts = [google.token_generation, offset, fingerprint(query)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @returns undefined if the page token is not valid (any more) */
function readOffset(google: FakeGoogle, query: URLSearchParams): number | undefined {
  const token = query.get('pageToken');
  if (token === null) return 0;
  try {
    const [generation, offset, print] = JSON.parse(Buffer.from(token, 'base64url').toString());
    return generation === google.token_generation && print === fingerprint(query) ? offset : undefined;
  } catch {
    return undefined;
  }
}

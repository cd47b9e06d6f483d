import { isObject } from '../../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../../model/result.ts';
import type { ReadRow } from '../rows.ts';
import { toGoogleResource } from './resource.ts';

/** Members that search results have, and assets do not. */
const SEARCH_MEMBERS = ['project', 'displayName', 'location', 'parentFullResourceName', 'additionalAttributes'];

/** A row of `gcloud asset list`, of an export, or of `gcloud asset search-all-resources`. */
export function readAssetOrSearch(row: JsonObject): ReadRow | undefined {
  const is_search = row.resource === undefined && SEARCH_MEMBERS.some((name) => Object.hasOwn(row, name));
  return is_search ? readSearchResult(row) : readAsset(row);
}

/**
 * An asset. Exports to Cloud Storage write some members in snake case.
 *
 * @see https://cloud.google.com/asset-inventory/docs/reference/rest/v1/assets
 */
export function readAsset(row: JsonObject): ReadRow | undefined {
  const resource = isObject(row.resource) ? row.resource : {};
  const data = isObject(resource.data) ? resource.data : undefined;
  const project = findProject(row.ancestors) ?? readProjectPath(row.ancestry_path ?? row.ancestryPath);
  const assetType = row.assetType ?? row.asset_type ?? null;
  const location = resource.location ?? data?.location ?? lastSegment(data?.zone) ?? lastSegment(data?.region) ?? null;
  const versions = data === undefined ? {} : { versionedResources: [{ version: 'v1', resource: data }] };
  const name = readName(data);
  const search = { name: row.name, assetType, location, project, labels: data?.labels ?? null, ...versions };
  return readAs('gcp_asset_list', name === undefined ? search : { ...search, displayName: name }, data !== undefined);
}

/** @see https://cloud.google.com/asset-inventory/docs/reference/rest/v1/TopLevel/searchAllResources */
function readSearchResult(row: JsonObject): ReadRow | undefined {
  return readAs('gcp_asset_search', row, false);
}

function readAs(format: ReadRow['format'], row: Record<string, unknown>, is_complete: boolean): ReadRow | undefined {
  const { name, project } = row;
  if (typeof name !== 'string' || !name.startsWith('//')) return undefined;
  const project_id = /\/projects\/([a-z][^/]*)(?:\/|$)/.exec(name)?.[1];
  const number = typeof project === 'string' ? /^projects\/(\d+)$/.exec(project)?.[1] : undefined;
  // Without the ID, the number stays: aliases with the ID are added when another row tells it.
  const resource = toGoogleResource(row, project_id ?? number ?? '');
  if (resource === undefined) return undefined;
  const account_id = project_id ?? number ?? null;
  return { provider: 'gcp', format, resource, is_complete, account_id, project_number: number };
}

function findProject(ancestors: JsonValue | undefined): string | null {
  const list = Array.isArray(ancestors) ? ancestors : [];
  return list.find((one): one is string => typeof one === 'string' && one.startsWith('projects/')) ?? null;
}

/** `organization/1/folder/2/project/3`, as older exports write it. */
function readProjectPath(path: JsonValue | undefined): string | null {
  const number = typeof path === 'string' ? /projects?\/(\d+)/.exec(path)?.[1] : undefined;
  return number === undefined ? null : `projects/${number}`;
}

function readName(data: JsonObject | undefined): string | undefined {
  const name = data?.displayName ?? data?.name;
  return typeof name === 'string' ? name : undefined;
}

function lastSegment(link: JsonValue | undefined): string | undefined {
  return typeof link === 'string' ? link.split('/').at(-1) : undefined;
}

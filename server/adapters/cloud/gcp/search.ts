import { toGoogleResource } from '../../../../engine/inventory/index.ts';
import { toSkippedFault } from '../rest/fault.ts';
import { ExpiredPageToken, type TokenPage } from '../rest/paging.ts';
import { type RestResponse, unreadable } from '../rest/request.ts';
import type { FoundResource, ScanOutline } from '../types.ts';
import { CALLS } from './calls.ts';
import { CLOUD } from './faults.ts';

const { service } = CALLS.search;
/** The most that Cloud Asset returns in one page. */
const PAGE_SIZE = '500';
/** `versionedResources` holds the properties as the resource's own API shows them; it is not returned by default. */
const FIELDS = 'name,assetType,project,displayName,location,labels,additionalAttributes,versionedResources';

/**
 * One part for the whole project: Cloud Asset keeps one index for all types and locations, so that more parts would
 * only be more requests. A scan needs one request for each 500 resources.
 */
export const OUTLINE: ScanOutline = {
  parts: [{ key: 'cloudasset/all', service, region: null, provider_type: null, by_region: true }],
  unchecked: [
    {
      key: 'cloudasset/iam-policies',
      service,
      region: null,
      provider_type: null,
      code: 'unsupported_type',
      message: 'Members of IAM policies are not read, because Cloud Asset does not list them as resources.',
    },
    {
      key: 'cloudasset/not-searchable',
      service,
      region: null,
      provider_type: null,
      code: 'unsupported_type',
      message: 'Types that Cloud Asset does not search are not read, such as objects in buckets and rows of tables.',
    },
  ],
};

export function toSearchQuery(page_token: string | null): URLSearchParams {
  const query = new URLSearchParams({ pageSize: PAGE_SIZE, orderBy: 'name', readMask: FIELDS });
  if (page_token !== null) query.set('pageToken', page_token);
  return query;
}

/** Google rejects a page token that has expired, or belongs to another query, with `INVALID_ARGUMENT`. */
export function assertTokenAccepted({ status }: RestResponse, page_token: string | null): void {
  if (status === 400 && page_token !== null) throw new ExpiredPageToken();
}

export interface SearchScope {
  project_id: string;
  regions: readonly string[];
}

/** @throws CloudError `parse_error` if this is not a page of search results */
export function toTokenPage(body: Readonly<Record<string, unknown>>, scope: SearchScope): TokenPage {
  const { results = [], nextPageToken } = body;
  if (!Array.isArray(results)) throw unreadable({ cloud: CLOUD, service });
  const read = results.map((row) => toGoogleResource(row, scope.project_id));
  const resources = read.filter((one) => one !== undefined);
  return {
    resources: resources.filter((one) => isInRegions(one, scope.regions)),
    next_token: typeof nextPageToken === 'string' && nextPageToken !== '' ? nextPageToken : null,
    faults: resources.length === read.length ? [] : [toSkippedFault(CLOUD, service, read.length - resources.length)],
  };
}

/** Whether a resource belongs to the chosen regions. Global resources, and those of several regions, always do. */
function isInRegions({ region }: FoundResource, regions: readonly string[]): boolean {
  if (regions.length === 0 || region === null) return true;
  const is_region = region.includes('-') && /\d$/.test(region);
  return !is_region || regions.includes(region);
}

import { toAzureRegion, toAzureResource } from '../../../../engine/inventory/index.ts';
import { toFault, toSkippedFault } from '../rest/fault.ts';
import { ExpiredPageToken, type TokenPage } from '../rest/paging.ts';
import { type RestResponse, unreadable } from '../rest/request.ts';
import type { CloudFault, FoundResource } from '../types.ts';
import { CALLS } from './calls.ts';
import { CLOUD, parseAzureError } from './faults.ts';

const { service } = CALLS.query;
/** The most that Resource Graph returns in one page. */
const PAGE_SIZE = 1_000;

export interface QueryScope {
  subscription_id: string;
  regions: readonly string[];
}

export function toQueryBody(query: string, { subscription_id }: QueryScope, skip_token: string | null) {
  const options = {
    resultFormat: 'objectArray',
    $top: PAGE_SIZE,
    ...(skip_token !== null && { $skipToken: skip_token }),
  };
  return { subscriptions: [subscription_id], query, options };
}

/** Resource Graph names an expired or damaged token in the details of a bad request: `CouldNotDecodeSkipToken`. */
export function assertTokenAccepted(response: RestResponse, skip_token: string | null): void {
  if (response.status !== 400 || skip_token === null) return;
  if (parseAzureError(response)?.codes.some((code) => code.includes('SkipToken'))) throw new ExpiredPageToken();
}

/** @throws CloudError `parse_error` if this is not a page of rows */
export function toTokenPage(body: Readonly<Record<string, unknown>>, { regions }: QueryScope): TokenPage {
  const { data, $skipToken, resultTruncated } = body;
  if (!Array.isArray(data)) throw unreadable({ cloud: CLOUD, service });
  const read = data.map(toAzureResource);
  const resources = read.filter((one) => one !== undefined);
  const next_token = typeof $skipToken === 'string' && $skipToken !== '' ? $skipToken : null;
  const is_cut = next_token === null && String(resultTruncated).toLowerCase() === 'true';
  const skipped_count = read.length - resources.length;
  return {
    resources: resources.filter((one) => isInRegions(one, regions)),
    next_token,
    faults: [...(is_cut ? [CUT] : []), ...(skipped_count > 0 ? [toSkippedFault(CLOUD, service, skipped_count)] : [])],
  };
}

const CUT: CloudFault = toFault({
  code: 'truncated',
  message:
    'Resource Graph returned only a part of the resources, and no way to read the rest. Scan again later; if this repeats, report it to Azure.',
  service,
  retryable: true,
});

/** Resource Graph silently leaves out what the application may not read. */
export const INCOMPLETE: CloudFault = toFault({
  code: 'access_denied',
  message:
    'The application does not have Reader on the whole subscription, and Resource Graph leaves out, without an error, every resource that it may not read. Grant Reader on the subscription to it.',
  service,
  permission: CALLS.query.permissions[0],
});

/** Whether a resource belongs to the chosen regions. Global resources always do. */
function isInRegions({ region }: FoundResource, regions: readonly string[]): boolean {
  return regions.length === 0 || region === null || regions.some((one) => toAzureRegion(one) === region);
}

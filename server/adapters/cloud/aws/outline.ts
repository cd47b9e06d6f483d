import { ARN_TYPES } from '../../../../engine/inventory/index.ts';
import { toFault } from '../rest/fault.ts';
import {
  CloudError,
  type CloudFault,
  type CloudTarget,
  type ScanOutline,
  type ScanPart,
  type UncheckedPart,
} from '../types.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { PARTLY_LISTED_TYPES } from './data/partly-listed-types.ts';
import { findGlobalRegion } from './default-regions.ts';
import { describeDisabledRegion } from './faults.ts';
import { listEnabledRegions } from './regions.ts';
import { BUCKET_TYPE, READABLE_TYPES, type ReadableType, UNREADABLE_TYPES, type UnreadableType } from './type-table.ts';

const CONTROL = CALLS.list_resources.service;
const INDEX = CALLS.list_indexed.service;
const TAGGING = CALLS.get_tagged.service;
const PARTIAL_TYPES: ReadonlySet<string> = new Set(Object.values(ARN_TYPES));

/**
 * The parts of an account: one for each type and region, one for each type of a global service, and one for each region
 * with what only an index shows.
 *
 * A scan makes one request for each part that is empty, and one for each page of the others (Cloud Control decides their
 * size): about 510 requests for an empty region, 60 for the global services, and two for the outline. All 17 regions
 * that are on by default take about 8,800. At four requests per second and region, which Cloud Control accepts, and with
 * regions read in parallel, that is about two minutes for each round of eight regions.
 *
 * No part is left out because an index does not show its type. Resource Explorer follows changes with a delay of minutes
 * to hours, its views can be filtered, it supports only some types, and the Tagging API has never seen what had no tag.
 * A part that is left out would either hide new resources, or make existing ones look deleted. Asking an index for the
 * order of the parts would cost requests and save none, so that the order is fixed: the most used services come first.
 */
export async function outlineAccount(
  ask: AskAws,
  target: CloudTarget,
  partition: string,
  signal: AbortSignal,
): Promise<ScanOutline> {
  const [enabled, indexed] = await Promise.all([
    listEnabledRegions(ask, partition, signal),
    listIndexedRegions(ask, findGlobalRegion(partition), signal),
  ]);
  const chosen = target.regions.length === 0 ? enabled.regions : target.regions;
  // Regions that are off by default may be on, if AWS did not give the list.
  const isRead = (region: string) => enabled.fault !== null || enabled.regions.includes(region);
  const regions = chosen.filter(isRead);
  return {
    parts: [...listGlobalParts(), ...listRegionalParts(regions), ...regions.map((one) => toIndexPart(one, indexed))],
    unchecked: [
      ...(enabled.fault === null ? [] : [toUncheckedRegions(enabled.fault)]),
      ...chosen.filter((region) => !isRead(region)).map(toDisabledRegion),
      ...UNREADABLE_TYPES.map(toUncheckedType),
      ...Object.entries(PARTLY_LISTED_TYPES).map(toUnlistedRest),
    ],
  };
}

/** The key of a part, which is the same in every scan. */
export function toPartKey(service: string, region: string | null, provider_type: string | null): string {
  const place = `${service}/${region ?? 'global'}`;
  return provider_type === null ? place : `${place}/${provider_type}`;
}

function listGlobalParts(): ScanPart[] {
  const types = READABLE_TYPES.filter(
    ({ global_region, listing }) =>
      global_region !== null || (listing.kind === 'variants' && listing.global !== undefined),
  );
  return [toPart('s3', null, BUCKET_TYPE), ...types.map(({ provider_type }) => toPart(CONTROL, null, provider_type))];
}

/** Types first, so that a scan that is interrupted has read the most used services in all regions. */
function listRegionalParts(regions: readonly string[]): ScanPart[] {
  return READABLE_TYPES.filter(isRegional).flatMap(({ provider_type }) =>
    regions.map((region) => toPart(CONTROL, region, provider_type)),
  );
}

function isRegional({ global_region }: ReadableType): boolean {
  return global_region === null;
}

function toIndexPart(region: string, indexed: ReadonlySet<string>): ScanPart {
  return toPart(indexed.has(region) ? INDEX : TAGGING, region, null);
}

function toPart(service: string, region: string | null, provider_type: string | null): ScanPart {
  return { key: toPartKey(service, region, provider_type), service, region, provider_type };
}

/** Empty if Resource Explorer is off, or may not be asked: the Tagging API is asked instead. */
async function listIndexedRegions(ask: AskAws, region: string, signal: AbortSignal): Promise<Set<string>> {
  const { ListIndexesCommand, ResourceExplorer2Client } = await import('@aws-sdk/client-resource-explorer-2');
  try {
    const { Indexes = [] } = await ask({
      call: CALLS.list_indexes,
      region,
      part_region: null,
      signal,
      send: (options, { signal: abortSignal }) =>
        new ResourceExplorer2Client(options).send(new ListIndexesCommand({ MaxResults: 100 }), { abortSignal }),
    });
    return new Set(Indexes.flatMap(({ Region }) => Region ?? []));
  } catch (error) {
    if (error instanceof CloudError && error.fault.code !== 'credential_error') return new Set();
    throw error;
  }
}

function toUncheckedRegions({ code, message }: CloudFault): UncheckedPart {
  return {
    key: 'account/regions',
    service: CALLS.list_regions.service,
    region: null,
    provider_type: null,
    code,
    message,
  };
}

function toDisabledRegion(region: string): UncheckedPart {
  const { code, message } = toFault(describeDisabledRegion(region));
  return { ...toPart(CONTROL, region, null), code, message };
}

function toUncheckedType({ provider_type, reason }: UnreadableType): UncheckedPart {
  return {
    ...toPart(CONTROL, null, provider_type),
    code: 'unsupported_type',
    message: describeReason(provider_type, reason),
  };
}

/** What a listing may leave out. The key differs from that of the parts that are read. */
function toUnlistedRest([provider_type, message]: [string, string]): UncheckedPart {
  const part = toPart(CONTROL, null, provider_type);
  return { ...part, key: `${part.key}/unlisted`, code: 'truncated', message };
}

function describeReason(provider_type: string, reason: UnreadableType['reason']): string {
  if (reason === 'needs_parent') {
    return 'Cloud Control lists this type only for a given parent, which would take a request for each parent.';
  }
  return PARTIAL_TYPES.has(provider_type)
    ? 'Cloud Control does not list this type. Only resources that Resource Explorer has indexed, or that have a tag, are read.'
    : 'Cloud Control does not list this type.';
}

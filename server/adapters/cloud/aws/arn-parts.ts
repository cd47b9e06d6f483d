import { ARN_TYPES, findIndexedType, toArnResource } from '../../../../engine/inventory/index.ts';
import { readTokenPage, type TokenPage } from '../rest/paging.ts';
import { unreadable } from '../rest/request.ts';
import type { FoundResource, ScanPage } from '../types.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { assertTokenAccepted, CLOUD } from './faults.ts';

interface PageRequest {
  region: string;
  token: string | null;
  signal: AbortSignal;
}

/** Reads what Resource Explorer has indexed in a region, of the types that Cloud Control does not list. */
export function readIndexedPage(
  ask: AskAws,
  region: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ScanPage> {
  const read = (token: string | null) => listIndexed(ask, { region, token, signal });
  return readTokenPage(cursor, read, CALLS.list_indexed.service);
}

/** Reads tagged resources of a region, of the same types. */
export function readTaggedPage(
  ask: AskAws,
  region: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ScanPage> {
  const read = (token: string | null) => listTagged(ask, { region, token, signal });
  return readTokenPage(cursor, read, CALLS.get_tagged.service);
}

async function listIndexed(ask: AskAws, { region, token, signal }: PageRequest): Promise<TokenPage> {
  const { ListResourcesCommand, ResourceExplorer2Client } = await import('@aws-sdk/client-resource-explorer-2');
  const filter = { Filters: { FilterString: `region:${region}` }, MaxResults: 1_000 };
  const command = new ListResourcesCommand({ ...filter, ...(token === null ? {} : { NextToken: token }) });
  const { Resources, NextToken } = await ask({
    call: CALLS.list_indexed,
    region,
    signal,
    send: (options, { signal: abortSignal }) => new ResourceExplorer2Client(options).send(command, { abortSignal }),
    inspect: (error) => assertTokenAccepted(error, token),
  });
  if (!Array.isArray(Resources)) throw unreadable({ cloud: CLOUD, service: CALLS.list_indexed.service });
  const found = Resources.map(({ Arn, Region }) => fromArn(Arn, Region ?? region, {}));
  return { resources: found.filter((one) => one !== undefined), next_token: NextToken ?? null, faults: [] };
}

async function listTagged(ask: AskAws, { region, token, signal }: PageRequest): Promise<TokenPage> {
  const sdk = await import('@aws-sdk/client-resource-groups-tagging-api');
  const command = new sdk.GetResourcesCommand({
    ResourceTypeFilters: Object.keys(ARN_TYPES),
    ResourcesPerPage: 100,
    ...(token === null ? {} : { PaginationToken: token }),
  });
  const { ResourceTagMappingList, PaginationToken } = await ask({
    call: CALLS.get_tagged,
    region,
    signal,
    send: (options, { signal: abortSignal }) =>
      new sdk.ResourceGroupsTaggingAPIClient(options).send(command, { abortSignal }),
    inspect: (error) => assertTokenAccepted(error, token),
  });
  if (!Array.isArray(ResourceTagMappingList)) throw unreadable({ cloud: CLOUD, service: CALLS.get_tagged.service });
  const found = ResourceTagMappingList.map(({ ResourceARN, Tags = [] }) =>
    fromArn(ResourceARN, region, Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]))),
  );
  // The last page has an empty token.
  const next_token = PaginationToken === undefined || PaginationToken === '' ? null : PaginationToken;
  return { resources: found.filter((one) => one !== undefined), next_token, faults: [] };
}

/** @returns undefined if Cloud Control lists the type, or if this service does not know it */
function fromArn(arn: string | undefined, region: string, tags: Record<string, string>): FoundResource | undefined {
  const provider_type = findIndexedType(arn ?? '');
  if (arn === undefined || provider_type === undefined) return undefined;
  return toArnResource({ arn, provider_type, region, tags });
}

import { toFault } from '../rest/fault.ts';
import { unreadable } from '../rest/request.ts';
import { CloudError, type CloudFault } from '../types.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { findGlobalRegion, listDefaultRegions } from './default-regions.ts';
import { CLOUD } from './faults.ts';

export interface EnabledRegions {
  regions: readonly string[];
  /** Why the list may be incomplete; null if AWS gave it. */
  fault: CloudFault | null;
}

const ENABLED = ['ENABLED', 'ENABLED_BY_DEFAULT'] as const;
/** AWS has fewer than 50 regions; more pages mean that the token does not advance. */
const MAX_PAGES = 10;

/** The regions that the account has enabled; without the permission to read them, those that are on by default. */
export async function listEnabledRegions(ask: AskAws, partition: string, signal: AbortSignal): Promise<EnabledRegions> {
  try {
    return { regions: await askRegions(ask, findAccountRegion(partition), signal), fault: null };
  } catch (error) {
    if (!(error instanceof CloudError) || error.fault.code === 'credential_error') throw error;
    const message = `The regions of the account could not be read, so only those that are on in every account are. ${error.message}`;
    return { regions: listDefaultRegions(partition), fault: toFault({ ...error.fault, region: null, message }) };
  }
}

/** In China, account management is in the other region. */
function findAccountRegion(partition: string): string {
  return partition === 'aws-cn' ? 'cn-northwest-1' : findGlobalRegion(partition);
}

async function askRegions(ask: AskAws, region: string, signal: AbortSignal): Promise<string[]> {
  const { AccountClient, ListRegionsCommand } = await import('@aws-sdk/client-account');
  const regions: string[] = [];
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { Regions, NextToken } = await ask({
      call: CALLS.list_regions,
      region,
      part_region: null,
      signal,
      send: (options, { signal: abortSignal }) => {
        const command = new ListRegionsCommand({
          MaxResults: 50,
          RegionOptStatusContains: [...ENABLED],
          ...(token === undefined ? {} : { NextToken: token }),
        });
        return new AccountClient(options).send(command, { abortSignal });
      },
    });
    if (!Array.isArray(Regions)) throw unreadable({ cloud: CLOUD, service: CALLS.list_regions.service });
    regions.push(...Regions.flatMap(({ RegionName }) => RegionName ?? []));
    if (NextToken === undefined) break;
    token = NextToken;
  }
  return regions.sort();
}

import { parseAwsProperties, scrubProperties } from '../../../../engine/inventory/index.ts';
import { unreadable } from '../rest/request.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { assertFound, CLOUD, ResourceNotFound } from './faults.ts';

export interface ResourceToRead {
  provider_type: string;
  provider_resource_id: string;
  /** The region that answers. */
  region: string;
}

/** All properties of a resource without secrets; null if it does not exist. */
export async function readResource(
  ask: AskAws,
  { provider_type, provider_resource_id, region }: ResourceToRead,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  const { CloudControlClient, GetResourceCommand } = await import('@aws-sdk/client-cloudcontrol');
  const command = new GetResourceCommand({ TypeName: provider_type, Identifier: provider_resource_id });
  try {
    const { ResourceDescription } = await ask({
      call: CALLS.get_resource,
      region,
      provider_type,
      signal,
      send: (options, { signal: abortSignal }) => new CloudControlClient(options).send(command, { abortSignal }),
      inspect: assertFound,
    });
    const properties = parseAwsProperties(ResourceDescription?.Properties ?? '');
    if (properties === undefined) throw unreadable({ cloud: CLOUD, service: CALLS.get_resource.service });
    return scrubProperties(properties, provider_type);
  } catch (error) {
    if (error instanceof ResourceNotFound) return null;
    throw error;
  }
}

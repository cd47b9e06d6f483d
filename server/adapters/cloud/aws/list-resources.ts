import { toAwsResource } from '../../../../engine/inventory/index.ts';
import { unreadable } from '../rest/request.ts';
import type { FoundResource } from '../types.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { assertFound, assertTokenAccepted, CLOUD } from './faults.ts';

export interface ListRequest {
  provider_type: string;
  /** The region that answers. */
  region: string;
  /** Region of the resources; null if the service has none. */
  part_region: string | null;
  /** Properties that the list handler requires. */
  model?: Readonly<Record<string, string>>;
  token: string | null;
}

export interface ListedPage {
  resources: FoundResource[];
  next_token: string | null;
}

/**
 * One page of Cloud Control. It decides how long a page is, and some handlers return no token although there is more
 * (aws/aws-sdk issue 764), which cannot be noticed.
 *
 * @throws ExpiredPageToken; ResourceNotFound if the resource that the model names is gone; CloudError
 */
export async function listResources(ask: AskAws, request: ListRequest, signal: AbortSignal): Promise<ListedPage> {
  const { provider_type, region, part_region, model, token } = request;
  const { CloudControlClient, ListResourcesCommand } = await import('@aws-sdk/client-cloudcontrol');
  const command = new ListResourcesCommand({
    TypeName: provider_type,
    ...(model === undefined ? {} : { ResourceModel: JSON.stringify(model) }),
    ...(token === null ? {} : { NextToken: token }),
  });
  const { ResourceDescriptions: descriptions, NextToken } = await ask({
    call: CALLS.list_resources,
    region,
    part_region,
    provider_type,
    signal,
    send: (options, { signal: abortSignal }) => new CloudControlClient(options).send(command, { abortSignal }),
    inspect(error) {
      assertTokenAccepted(error, token);
      if (model !== undefined) assertFound(error);
    },
  });
  if (!Array.isArray(descriptions)) throw unreadable({ cloud: CLOUD, service: CALLS.list_resources.service });
  const resources = descriptions.flatMap(({ Identifier: identifier, Properties: properties }) =>
    identifier === undefined ? [] : [toAwsResource({ provider_type, region: part_region, identifier, properties })],
  );
  return { resources, next_token: NextToken ?? null };
}

import { createUnknownPartError } from '../rest/fault.ts';
import { unreadable } from '../rest/request.ts';
import type { CloudIdentity, CloudSession, CloudTarget, ScanPage, ScanPart } from '../types.ts';
import { type AskAws, type AwsApiDeps, createAwsApi } from './api.ts';
import { readIndexedPage, readTaggedPage } from './arn-parts.ts';
import { readBucketPage } from './buckets.ts';
import { CALLS } from './calls.ts';
import { findGlobalRegion, findPartition } from './default-regions.ts';
import { CLOUD } from './faults.ts';
import { readResource } from './get-resource.ts';
import { outlineAccount } from './outline.ts';
import { checkAwsPermissions } from './permissions.ts';
import { BUCKET_TYPE, READABLE_TYPES } from './type-table.ts';
import { readTypedPage } from './typed-part.ts';

export function openAwsSession(target: CloudTarget, deps: AwsApiDeps): CloudSession {
  const ended = new AbortController();
  const until = (signal: AbortSignal) => AbortSignal.any([signal, ended.signal]);
  const ask = createAwsApi(target, deps);
  const partition = readPartition(target);

  return {
    identify: (signal) => identify(ask, findGlobalRegion(partition), until(signal)),
    checkPermissions: (signal) =>
      checkAwsPermissions(ask, { partition, region: target.regions[0] ?? findGlobalRegion(partition) }, until(signal)),
    outline: (signal) => outlineAccount(ask, target, partition, until(signal)),
    readPage: (part, cursor, signal) => readPart({ ask, partition }, part, cursor, until(signal)),
    readResource: (resource, signal) => {
      const region = resource.region ?? findGlobalRegion(partition, findTypeRegion(resource.provider_type));
      return readResource(ask, { ...resource, region }, until(signal));
    },
    close: () => ended.abort(),
  };
}

/** Roles name their partition; other credentials work where the account's regions are. */
function readPartition({ credentials, regions }: CloudTarget): string {
  const role_arn = 'role_arn' in credentials ? credentials.role_arn : undefined;
  return role_arn?.split(':')[1] ?? findPartition(regions[0] ?? '');
}

async function identify(ask: AskAws, region: string, signal: AbortSignal): Promise<CloudIdentity> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Account, Arn } = await ask({
    call: CALLS.get_caller_identity,
    region,
    part_region: null,
    signal,
    send: (options, { signal: abortSignal }) =>
      new STSClient(options).send(new GetCallerIdentityCommand({}), { abortSignal }),
  });
  if (Account === undefined || Arn === undefined) throw unreadable({ cloud: CLOUD, service: 'sts' });
  return { identity: Arn, external_account_id: Account };
}

interface PartScope {
  ask: AskAws;
  partition: string;
}

function readPart(
  { ask, partition }: PartScope,
  part: ScanPart,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ScanPage> {
  const { service, provider_type } = part;
  const region = part.region ?? findGlobalRegion(partition, findTypeRegion(provider_type));
  if (service === CALLS.list_indexed.service) return readIndexedPage(ask, region, cursor, signal);
  if (service === CALLS.get_tagged.service) return readTaggedPage(ask, region, cursor, signal);
  if (provider_type === BUCKET_TYPE) return readBucketPage(ask, region, cursor, signal);
  const type = READABLE_TYPES.find((one) => one.provider_type === provider_type);
  if (service !== CALLS.list_resources.service || type === undefined) throw createUnknownPartError(part.key);
  return readTypedPage(ask, { type, part, region }, cursor, signal);
}

function findTypeRegion(provider_type: string | null): string | undefined {
  return READABLE_TYPES.find((one) => one.provider_type === provider_type)?.global_region ?? undefined;
}

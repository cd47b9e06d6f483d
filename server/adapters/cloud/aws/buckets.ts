import { scrubText } from '../../../../engine/index.ts';
import { readTokenPage, type TokenPage } from '../rest/paging.ts';
import { unreadable } from '../rest/request.ts';
import type { FoundResource, ScanPage } from '../types.ts';
import type { AskAws } from './api.ts';
import { CALLS } from './calls.ts';
import { findPartition } from './default-regions.ts';
import { assertTokenAccepted, CLOUD } from './faults.ts';
import { BUCKET_TYPE } from './type-table.ts';

const PAGE_SIZE = 1_000;

/** Reads buckets through S3, because Cloud Control lists those of all regions without their regions. */
export function readBucketPage(
  ask: AskAws,
  region: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ScanPage> {
  return readTokenPage(cursor, (token) => listBuckets(ask, { region, token, signal }), CALLS.list_buckets.service);
}

interface BucketRequest {
  region: string;
  token: string | null;
  signal: AbortSignal;
}

async function listBuckets(ask: AskAws, { region, token, signal }: BucketRequest): Promise<TokenPage> {
  const { ListBucketsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const command = new ListBucketsCommand({
    MaxBuckets: PAGE_SIZE,
    ...(token === null ? {} : { ContinuationToken: token }),
  });
  const { Buckets, ContinuationToken, Owner } = await ask({
    call: CALLS.list_buckets,
    region,
    part_region: null,
    provider_type: BUCKET_TYPE,
    signal,
    send: (options, { signal: abortSignal }) =>
      new S3Client({ ...options, forcePathStyle: true }).send(command, { abortSignal }),
    inspect: (error) => assertTokenAccepted(error, token),
  });
  // An account without buckets has an owner, too; another document has neither.
  if (Buckets === undefined && Owner === undefined) throw unreadable({ cloud: CLOUD, service: 's3' });
  const resources = (Buckets ?? []).flatMap(({ Name, BucketRegion, CreationDate }) =>
    Name === undefined ? [] : [toBucket(Name, BucketRegion ?? null, CreationDate)],
  );
  return { resources, next_token: ContinuationToken ?? null, faults: [] };
}

function toBucket(name: string, region: string | null, created_at: Date | undefined): FoundResource {
  return {
    provider_resource_id: name,
    provider_type: BUCKET_TYPE,
    region,
    name: scrubText(name),
    tags: {},
    aliases: [`arn:${findPartition(region ?? '')}:s3:::${name}`],
    properties: { BucketName: name, ...(created_at === undefined ? {} : { CreationDate: created_at.toISOString() }) },
  };
}

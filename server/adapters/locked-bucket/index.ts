import type * as Sdk from '@aws-sdk/client-s3';
import { awsClientOptions } from '../aws/client-options.ts';
import { openConnection } from '../cloud/aws/connection.ts';
import type { AwsAccess, OpenAwsKeys } from '../cloud/aws/keys.ts';
import type { GuardedFetch } from '../egress/index.ts';
import { findRefusedFolderName } from '../state-backend/names.ts';
import { isPresent, notLocked, toBucketError } from './faults.ts';
import type { BucketPlace, LockedBucket, LockedBuckets, ObjectLock } from './types.ts';

export type { LockedBuckets } from './types.ts';

export interface LockedBucketsDeps {
  /** The only way to the outside: checks each address and dials exactly the checked one. */
  fetch: GuardedFetch;
  openAwsKeys: OpenAwsKeys;
}

/** For each request. */
const TIMEOUT_MS = 15_000;
/** Objects that are read have a few hundred bytes. */
const MAX_BYTES = 65_536;
/** With an endpoint, the region is only part of the signature, and not of the host name. */
const ANY_REGION = 'us-east-1';

/** Writes to buckets of organizations. The SDK is loaded on first use. */
export function createLockedBuckets(deps: LockedBucketsDeps): LockedBuckets {
  return {
    findRefusedName({ bucket, region, endpoint }) {
      const checked_region = endpoint === null ? region : ANY_REGION;
      return findRefusedFolderName({ provider: 'aws', bucket, region: checked_region, prefix: '' });
    },
    open: (place, access) => openBucket(deps, place, access),
  };
}

function openBucket(deps: LockedBucketsDeps, place: BucketPlace, access: AwsAccess): LockedBucket {
  const { bucket: Bucket } = place;

  /** @throws BucketError; the reason of the signal */
  async function ask<T>(signal: AbortSignal, send: (client: Sdk.S3Client, sdk: typeof Sdk) => Promise<T>): Promise<T> {
    try {
      const sdk = await import('@aws-sdk/client-s3');
      return await send(await openClient(sdk, signal), sdk);
    } catch (error) {
      signal.throwIfAborted();
      throw isPresent(error) ? error : toBucketError(error, Bucket);
    }
  }

  async function openClient(sdk: typeof Sdk, signal: AbortSignal): Promise<Sdk.S3Client> {
    const { region, endpoint } = place;
    const keys = await deps.openAwsKeys(access, region, signal);
    const limits = { fetch: deps.fetch, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES };
    const target = { service: 's3', region, endpoint: endpoint ?? undefined, keys };
    const options = awsClientOptions(openConnection(limits, 's3', signal), target);
    return new sdk.S3Client({ ...options, forcePathStyle: endpoint !== null } as Sdk.S3ClientConfig);
  }

  async function put(key: string, text: string, { mode, until }: ObjectLock, signal: AbortSignal): Promise<boolean> {
    try {
      await ask(signal, (client, sdk) => {
        const content = { Body: text, ContentType: 'text/plain; charset=utf-8', IfNoneMatch: '*' };
        const lock = { ObjectLockMode: toMode(mode), ObjectLockRetainUntilDate: until };
        return client.send(new sdk.PutObjectCommand({ Bucket, Key: key, ...content, ...lock }));
      });
      return true;
    } catch (error) {
      if (isPresent(error)) return false;
      throw error;
    }
  }

  async function read(key: string, signal: AbortSignal): Promise<string | undefined> {
    return ask(signal, async (client, sdk) => {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: key }));
      return Body?.transformToString();
    });
  }

  return {
    async assertLock(signal) {
      const found = await ask(signal, (client, sdk) =>
        client.send(new sdk.GetObjectLockConfigurationCommand({ Bucket })),
      );
      if (found.ObjectLockConfiguration?.ObjectLockEnabled !== 'Enabled') throw notLocked(Bucket);
    },
    async putOnce(key, text, { lock, signal }) {
      return (await put(key, text, lock, signal)) || (await read(key, signal)) === text;
    },
  };
}

function toMode(mode: ObjectLock['mode']): 'GOVERNANCE' | 'COMPLIANCE' {
  return mode === 'governance' ? 'GOVERNANCE' : 'COMPLIANCE';
}

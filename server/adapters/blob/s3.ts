import type * as Sdk from '@aws-sdk/client-s3';
import { storageFault } from './fault.ts';
import { assertKey, CHECK_KEY } from './key.ts';
import type { BlobStore } from './types.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** For stores other than AWS; buckets are then addressed by path. */
  endpoint?: string | undefined;
  /** Without keys, the SDK uses its own credential chain (environment, instance role). */
  credentials?: { access_key_id: string; secret_access_key: string } | undefined;
}

/** Blobs in an S3-compatible bucket. The SDK is loaded on first use. */
export function createS3Store(settings: S3Settings): BlobStore {
  const { bucket } = settings;
  let opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: new sdk.S3Client(clientConfig(settings)) }));
    return opened;
  };

  async function* list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }> {
    const { sdk, client } = await open();
    try {
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key !== undefined && LastModified !== undefined) yield { key: Key, modified_at: LastModified };
        }
      }
    } catch (error) {
      throw storageFault(error);
    }
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    assertKey(key);
    const { sdk, client } = await open();
    await wrapFault(client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes })));
  }

  async function remove(key: string): Promise<void> {
    assertKey(key);
    const { sdk, client } = await open();
    await wrapFault(client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })));
  }

  return {
    list,
    put,
    delete: remove,
    async get(key) {
      assertKey(key);
      const { sdk, client } = await open();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body === undefined ? undefined : Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw storageFault(error);
      }
    },
    async check() {
      await put(CHECK_KEY, Buffer.from('ok'));
      await remove(CHECK_KEY);
    },
  };
}

/** The request was well-formed, so any other response, or none, means that the store is not available. */
async function wrapFault(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    throw storageFault(error);
  }
}

function clientConfig({ region, endpoint, credentials }: S3Settings): Sdk.S3ClientConfig {
  return {
    region,
    maxAttempts: 3,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined
      ? {}
      : { credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key } }),
  };
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'NoSuchKey';
}

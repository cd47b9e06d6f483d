import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { storageFault } from './fault.ts';
import { assertKey, CHECK_KEY } from './key.ts';
import type { BlobStore, FileStore } from './types.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** For stores other than AWS; buckets are then addressed by path. */
  endpoint?: string | undefined;
  /** Without keys, the SDK uses its own credential chain (environment, instance role). */
  credentials?: { access_key_id: string; secret_access_key: string } | undefined;
}

/** Blobs in an S3-compatible bucket. The SDK is loaded on first use. */
export function createS3Store(settings: S3Settings): BlobStore & FileStore {
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

  async function put(key: string, bytes: Uint8Array, options?: { locked_until: Date }): Promise<void> {
    assertKey(key);
    const { sdk, client } = await open();
    const lock = options && { ObjectLockMode: 'COMPLIANCE' as const, ObjectLockRetainUntilDate: options.locked_until };
    await wrapFault(client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ...lock })));
  }

  async function putFile(key: string, path: string): Promise<void> {
    assertKey(key);
    const { sdk, client } = await open();
    const { size } = await stat(path);
    const command = { Bucket: bucket, Key: key, Body: createReadStream(path), ContentLength: size };
    await wrapFault(client.send(new sdk.PutObjectCommand(command)));
  }

  async function size(key: string): Promise<number | undefined> {
    assertKey(key);
    const { sdk, client } = await open();
    const sent = client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }));
    return (await ifPresent(sent))?.ContentLength;
  }

  async function openObject(key: string): Promise<Readable | undefined> {
    assertKey(key);
    const { sdk, client } = await open();
    const found = await ifPresent(client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key })));
    return found?.Body === undefined ? undefined : withFault(found.Body as Readable);
  }

  async function get(key: string): Promise<Buffer | undefined> {
    assertKey(key);
    const { sdk, client } = await open();
    const found = await ifPresent(client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key })));
    return found?.Body === undefined ? undefined : Buffer.from(await found.Body.transformToByteArray());
  }

  async function presign(key: string, { seconds, filename }: { seconds: number; filename: string }): Promise<string> {
    assertKey(key);
    const { sdk, client } = await open();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const ResponseContentDisposition = `attachment; filename="${filename}"`;
    const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ResponseContentDisposition });
    try {
      return await getSignedUrl(client, command, { expiresIn: seconds });
    } catch (error) {
      throw storageFault(error);
    }
  }

  async function remove(key: string): Promise<void> {
    assertKey(key);
    const { sdk, client } = await open();
    await wrapFault(client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })));
  }

  return {
    list,
    put,
    putFile,
    get,
    size,
    open: openObject,
    presign,
    delete: remove,
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

/** The response, or undefined if there is no such object. */
async function ifPresent<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storageFault(error);
  }
}

/** The same bytes; a lost connection becomes StorageUnavailable. */
function withFault(body: Readable): Readable {
  async function* read() {
    try {
      yield* body;
    } catch (error) {
      throw storageFault(error);
    }
  }
  return Readable.from(read(), { objectMode: false });
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
  // A HEAD response has no body, so its error has only the status.
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

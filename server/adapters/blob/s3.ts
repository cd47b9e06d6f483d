import type { S3Client } from '@aws-sdk/client-s3';
import { assertKey } from './key.ts';
import type { BlobStore } from './types.ts';

export interface S3Settings {
  bucket: string;
  /** null = the region's own endpoint. */
  endpoint: string | null;
  region: string;
  /** null = the SDK's own chain. */
  credentials: { access_key_id: string; secret_access_key: string } | null;
}

const REQUEST_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Blobs in an S3-compatible store. The SDK is loaded at the first use: it takes a while, and not every role needs it. */
export function createS3Store(settings: S3Settings): BlobStore {
  const { bucket: Bucket } = settings;
  let connected: Promise<Connection> | undefined;
  const connect = () => {
    connected ??= connectTo(settings);
    return connected;
  };

  return {
    async put(key, bytes) {
      const { client, sdk } = await connect();
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: assertKey(key), Body: bytes }));
    },

    async get(key) {
      const { client, sdk } = await connect();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: assertKey(key) }));
        return Body === undefined ? undefined : Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    },

    async delete(key) {
      const { client, sdk } = await connect();
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: assertKey(key) }));
    },

    async *list(prefix) {
      const { client, sdk } = await connect();
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key !== undefined && LastModified !== undefined) yield { key: Key, modified_at: LastModified };
        }
      }
    },

    async check() {
      const { client, sdk } = await connect();
      await client.send(new sdk.HeadBucketCommand({ Bucket }));
    },
  };
}

interface Connection {
  client: S3Client;
  sdk: typeof import('@aws-sdk/client-s3');
}

async function connectTo({ endpoint, region, credentials }: S3Settings): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    maxAttempts: 3,
    requestHandler: { requestTimeout: REQUEST_TIMEOUT_MS, connectionTimeout: CONNECT_TIMEOUT_MS },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null
      ? {}
      : { credentials: { accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key } }),
  });
  return { client, sdk };
}

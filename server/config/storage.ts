import { resolve } from 'node:path';
import { z } from 'zod';
import { httpUrl, masterKeys, postgresUrl } from './values.ts';

/** Environment variables of the database, the queue, the object store and the keys that encrypt. */
export const STORAGE_VARIABLES = {
  DATA_DIR: z.string().default('.dpa'),
  DATABASE_URL: postgresUrl().optional(),
  DATABASE_MIGRATE_URL: postgresUrl().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }).optional(),
  BLOB_S3_BUCKET: z.string().optional(),
  BLOB_S3_ENDPOINT: httpUrl().optional(),
  BLOB_S3_REGION: z.string().default('us-east-1'),
  BLOB_S3_ACCESS_KEY_ID: z.string().optional(),
  BLOB_S3_SECRET_ACCESS_KEY: z.string().optional(),
  MASTER_KEY: masterKeys().optional(),
};

type Variables = z.infer<z.ZodObject<typeof STORAGE_VARIABLES>>;

/** Problems that no single variable shows; invalid values count as set. */
export function storageContradictions(given: Partial<Record<keyof Variables | 'NODE_ENV', unknown>>): string[] {
  const isSet = (name: keyof Variables) => given[name] !== undefined;
  const rules: [boolean, string][] = [
    [
      given.NODE_ENV === 'production' && isSet('DATABASE_URL') && !isSet('MASTER_KEY'),
      'MASTER_KEY is required with DATABASE_URL when NODE_ENV=production: `openssl rand -base64 32` creates one',
    ],
    [isSet('DATABASE_MIGRATE_URL') && !isSet('DATABASE_URL'), 'DATABASE_MIGRATE_URL also needs DATABASE_URL'],
    [
      isSet('BLOB_S3_ACCESS_KEY_ID') !== isSet('BLOB_S3_SECRET_ACCESS_KEY'),
      'BLOB_S3_ACCESS_KEY_ID and BLOB_S3_SECRET_ACCESS_KEY must be set together',
    ],
    [isSet('BLOB_S3_ENDPOINT') && !isSet('BLOB_S3_BUCKET'), 'BLOB_S3_ENDPOINT also needs BLOB_S3_BUCKET'],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

/** A bucket, or a folder in `DATA_DIR`. */
export function blobSettings(given: Variables) {
  const { BLOB_S3_BUCKET: bucket, BLOB_S3_ACCESS_KEY_ID: access_key_id } = given;
  const { BLOB_S3_SECRET_ACCESS_KEY: secret_access_key } = given;
  if (bucket === undefined) return { kind: 'folder' as const, root: resolve(given.DATA_DIR, 'blobs') };
  return {
    kind: 's3' as const,
    bucket,
    endpoint: given.BLOB_S3_ENDPOINT,
    region: given.BLOB_S3_REGION,
    /** Without keys, the SDK uses its own credential chain: environment, files, instance role. */
    credentials:
      access_key_id === undefined || secret_access_key === undefined ? undefined : { access_key_id, secret_access_key },
  };
}

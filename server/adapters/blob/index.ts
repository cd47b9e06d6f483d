import { join } from 'node:path';
import { createFolderStore } from './folder.ts';
import { createS3Store, type S3Settings } from './s3.ts';
import type { BlobStore } from './types.ts';

export type { BlobStore } from './types.ts';

/** An S3-compatible store when one is configured, else a folder in `data_dir`. */
export function createBlobStore({ s3, data_dir }: { s3: S3Settings | null; data_dir: string }): BlobStore {
  return s3 === null ? createFolderStore(join(data_dir, 'blobs')) : createS3Store(s3);
}

import { createFolderStore } from './folder.ts';
import { createS3Store, type S3Settings } from './s3.ts';
import type { BlobStore, FileStore } from './types.ts';

export type BlobSettings = { kind: 'folder'; root: string } | ({ kind: 's3' } & S3Settings);
export type { BlobStore, FileStore } from './types.ts';

/** A folder for one machine, or a bucket if several machines share the work. */
export function createBlobStore(settings: BlobSettings): BlobStore & FileStore {
  return settings.kind === 's3' ? createS3Store(settings) : createFolderStore(settings.root);
}

import type { Readable } from 'node:stream';

/**
 * Stores bytes by key outside the database: plans that wait for their job, and artifacts.
 *
 * Every method throws StorageUnavailable when the disk or the bucket fails; in that case nothing was stored.
 */
export interface BlobStore {
  /**
   * Stores all bytes or none, durably before it returns. Replaces an existing value of the key.
   *
   * @param key `/`-separated parts of letters, digits, `-`, `_` and `.`, none of which starts with a dot
   * @param options `locked_until`: nobody can change or delete this version before, not even an administrator. Needs a
   *   bucket with S3 Object Lock; a folder ignores it
   */
  put(key: string, bytes: Uint8Array, options?: { locked_until: Date }): Promise<void>;
  /** Undefined if the key has no value. */
  get(key: string): Promise<Buffer | undefined>;
  /** Deleting a missing key is not an error. */
  delete(key: string): Promise<void>;
  /** All keys that start with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }>;
  /** Writes and deletes a small object to detect a full disk. */
  check(): Promise<void>;
}

/** The same store for values that can be larger than memory, and that people download. */
export interface FileStore {
  /** Stores the content of a file like `put`, at constant memory. */
  putFile(key: string, path: string): Promise<void>;
  /** The number of bytes of the value; undefined if the key has none. */
  size(key: string): Promise<number | undefined>;
  /** Reads like `get`, at constant memory. Destroy the stream if it is not read to its end. */
  open(key: string): Promise<Readable | undefined>;
  /**
   * A URL that downloads the value without a credential, for a limited time; null if this store has no URLs.
   *
   * @param filename the name under which browsers store it: letters, digits, `-`, `_` and `.`
   */
  presign(key: string, options: { seconds: number; filename: string }): Promise<string | null>;
}

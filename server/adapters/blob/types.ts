/**
 * Bytes by key, outside the database: plans that wait for their job, later artifacts.
 *
 * Every method throws StorageUnavailable when the disk or the bucket does not do its part; then nothing was stored.
 */
export interface BlobStore {
  /**
   * Stored whole or not at all, and durable when this returns; replaces what the key held.
   *
   * @param key `/`-separated parts of letters, digits, `-`, `_` and `.`, none of which begins with a dot
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is nothing under the key. */
  get(key: string): Promise<Buffer | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Every key that begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }>;
  /** Writes a small object and deletes it, so that a full disk is seen. */
  check(): Promise<void>;
}

const KEYS_AT_ONCE = 500;

interface Blobs {
  list(prefix: string): AsyncIterable<{ key: string; modified_at: Date }>;
  delete(key: string): Promise<void>;
}

export interface OrphanSearch {
  prefix: string;
  /** Newer objects may belong to a row that is about to be written. */
  before: Date;
  /** Those of up to 500 keys that must be kept. */
  listLive(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Deletes the objects that no row refers to, which a crash between two writes leaves behind. */
export async function deleteOrphans(blobs: Blobs, { prefix, before, listLive }: OrphanSearch): Promise<void> {
  let keys: string[] = [];
  for await (const { key, modified_at } of blobs.list(prefix)) {
    if (modified_at < before) keys.push(key);
    if (keys.length < KEYS_AT_ONCE) continue;
    await deleteUnless(blobs, keys, await listLive(keys));
    keys = [];
  }
  if (keys.length > 0) await deleteUnless(blobs, keys, await listLive(keys));
}

async function deleteUnless(blobs: Blobs, keys: readonly string[], live: ReadonlySet<string>): Promise<void> {
  for (const key of keys) if (!live.has(key)) await blobs.delete(key);
}

import type { ServiceDeps } from '../../contract/service-deps.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;

export interface CopyDeps extends Pick<ServiceDeps, 'db' | 'platform_db' | 'now'> {
  blobs: {
    put(key: string, bytes: Uint8Array, options?: { locked_until: Date }): Promise<void>;
  };
  /** How long nobody can change or delete a copy; 0: copies are not locked. */
  lock_days: number;
}

/** Copies checkpoints into the object store, where people who can change the database may have no access. */
export function createCopies({ db, platform_db, blobs, lock_days, now }: CopyDeps) {
  /** @throws StorageUnavailable; the next run continues */
  async function copyDue(): Promise<void> {
    let batch = await store.listUncopied(platform_db);
    for (; batch.length > 0; batch = await store.listUncopied(platform_db)) {
      for (const one of batch) await copy(one);
    }
  }

  async function copy({ org_id, size }: { org_id: string; size: number }): Promise<void> {
    const found = await db.readInOrg(org_id, (read) => store.findCheckpoint(read, org_id, size));
    if (found !== undefined) await put(`audit-checkpoints/${org_id}/${size}.txt`, found.note);
    await db.inOrg(org_id, (trx) => store.markCopied(trx, { org_id, size }, now()));
  }

  async function put(key: string, note: string): Promise<void> {
    const lock = { locked_until: new Date(now().getTime() + lock_days * DAY_MS) };
    await blobs.put(key, Buffer.from(note), lock_days === 0 ? undefined : lock);
  }

  return { copyDue };
}

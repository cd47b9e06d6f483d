import { createHash } from 'node:crypto';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Logger } from '../../log.ts';
import * as store from './store.ts';
import type { AnchorStore } from './types.ts';

/** Up to this number, chains are also listed in the log line. */
const HEADS_PER_LINE = 100;

export interface AnchorsDeps extends Pick<ServiceDeps, 'platform_db' | 'now'> {
  blobs: AnchorStore;
  log: Logger;
}

/**
 * Records the head of every chain outside of the database, so that a person who can change the log and its heads there
 * cannot truncate a chain unnoticed.
 */
export function createAnchors({ platform_db, blobs, log, now }: AnchorsDeps) {
  async function write(): Promise<void> {
    const taken_at = now().toISOString();
    const chains = await store.inSnapshot(platform_db, store.listHeads);
    for (const { org_id, head_seq } of chains.filter((chain) => !chain.in_log)) {
      log.error({ org_id, head_seq }, 'an audit chain does not end where its head says; verify it');
    }
    const heads = chains.map(({ org_id, head_seq, head_hash }) => ({ org_id, head_seq, head_hash }));
    const bytes = Buffer.from(JSON.stringify({ taken_at, heads }));
    const key = `audit-anchors/${taken_at.replaceAll(':', '-')}.json`;
    await blobs.put(key, bytes);
    log.info(
      {
        key,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        chain_count: heads.length,
        platform_head: heads.find((head) => head.org_id === null) ?? null,
        ...(heads.length <= HEADS_PER_LINE ? { heads } : {}),
      },
      'audit chain heads',
    );
  }

  return { write };
}

export type Anchors = ReturnType<typeof createAnchors>;

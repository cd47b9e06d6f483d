import type { ServiceDeps } from '../../contract/service-deps.ts';
import { createAnchors } from './anchor-service.ts';
import * as store from './store.ts';
import type { AnchorStore, AuditEntry, AuditFilter } from './types.ts';
import { createVerifier } from './verify-service.ts';
import { type AuditWriterDeps, createAuditWriter } from './write-service.ts';

export interface AuditDeps extends AuditWriterDeps, Pick<ServiceDeps, 'db' | 'platform_db' | 'sweep_db'> {
  blobs: AnchorStore;
}

/** The audit log: written by all domains, read by platform admins, and verified by them and by organizations. */
export function createAudit(deps: AuditDeps) {
  const { platform_db } = deps;

  /** One page of the entries of all chains, newest first. */
  async function list(
    filter: AuditFilter,
    page: { limit: number; offset: number },
  ): Promise<{ entries: AuditEntry[]; total: number }> {
    return store.listEntries(platform_db, filter, page);
  }

  const { record, recordIn, close } = createAuditWriter(deps);
  const { verifyAny, verifyOrg, walkChain, deleteOldCounts } = createVerifier(deps);
  const { write: writeAnchors } = createAnchors(deps);
  return { record, recordIn, close, list, verifyAny, verifyOrg, walkChain, deleteOldCounts, writeAnchors };
}

export type Audit = ReturnType<typeof createAudit>;

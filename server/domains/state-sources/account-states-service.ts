import type { BlobStore } from '../../adapters/blob/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { NotFound, ServiceError, Unavailable } from '../../lib/errors.ts';
import type { Sealer } from '../../lib/seal.ts';
import { findSnapshot } from './fetches-store.ts';
import type { Refresher } from './refresh-service.ts';
import { snapshotAad } from './seals.ts';
import { isDeclared, listOfAccount } from './store.ts';
import type { Snapshot, StoredSource } from './types.ts';

/** Fetches at once for one caller. */
const CONCURRENT = 4;
/** A source whose state does not exist any more keeps its last copy for this long. */
const MISSING_KEPT_MS = 7 * 86_400_000;

/** The state of a source, for a comparison with a cloud account. */
export interface AccountState extends Pick<Snapshot, 'parse_failure_count'> {
  source_id: string;
  display_name: string;
  /** Why it could not be fetched now; the copy is then an earlier one. */
  problem: string | null;
  /** Reads the resources of the copy: one JSON text a line, compressed with Brotli; null if there is no copy. */
  read: (() => Promise<Uint8Array>) | null;
}

export interface AccountStatesDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  refresher: Pick<Refresher, 'refreshIfStale'>;
  blobs: Pick<BlobStore, 'get'>;
  /** Decrypts blobs. */
  blob_sealer: Sealer;
}

/** The states that declare the resources of a cloud account. */
export function createAccountStates({ db, now, refresher, blobs, blob_sealer }: AccountStatesDeps) {
  /**
   * Fetches the sources of an account, and those without an account, unless they were fetched in the last five minutes.
   * One that cannot be fetched is returned with the reason.
   *
   * @returns by name
   */
  async function collect(org_id: string, account_id: string): Promise<AccountState[]> {
    const missing_after = new Date(now().getTime() - MISSING_KEPT_MS);
    const sources = await db.readInOrg(org_id, (read) => listOfAccount(read, org_id, { account_id, missing_after }));
    const limit = createConcurrencyLimit(CONCURRENT);
    const states = await Promise.all(sources.map((source) => limit(() => collectOne(source))));
    return states.filter((state) => state !== undefined);
  }

  /** @returns undefined if the source was deleted in the meantime */
  async function collectOne(source: StoredSource): Promise<AccountState | undefined> {
    const { org_id, id } = source;
    try {
      const { snapshot_id } = await refresher.refreshIfStale(org_id, id);
      return await describe(source, snapshot_id, null);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      if (!(error instanceof ServiceError)) throw error;
      return describe(source, source.latest_snapshot_id, error.message);
    }
  }

  async function describe(source: StoredSource, id: string | null, problem: string | null): Promise<AccountState> {
    const { org_id, display_name } = source;
    const snapshot = id === null ? undefined : await db.readInOrg(org_id, (read) => findSnapshot(read, org_id, id));
    return {
      source_id: source.id,
      display_name,
      problem,
      parse_failure_count: snapshot?.parse_failure_count ?? 0,
      read: snapshot === undefined ? null : () => readCopy(org_id, snapshot),
    };
  }

  async function readCopy(org_id: string, { id, blob_key }: Snapshot): Promise<Uint8Array> {
    const sealed = await blobs.get(blob_key);
    // A refresh that ran at the same time made the copy superfluous, and a sweep deleted it.
    if (sealed === undefined) throw new Unavailable('a copy of a state was replaced while it was read; try again');
    return blob_sealer.open(sealed, snapshotAad(org_id, id));
  }

  /** Whether an account has sources, of its own or without an account. */
  async function hasSources(read: Db, org_id: string, account_id: string): Promise<boolean> {
    const missing_after = new Date(now().getTime() - MISSING_KEPT_MS);
    return isDeclared(read, org_id, { account_id, missing_after });
  }

  return { collect, hasSources };
}

export type AccountStates = ReturnType<typeof createAccountStates>;

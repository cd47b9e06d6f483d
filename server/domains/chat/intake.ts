import type { Db, OrgDatabase } from '../../db/index.ts';
import { insertRequests, type NewRequest } from './requests-store.ts';

export interface IntakeDeps {
  db: Pick<OrgDatabase, 'inOrg'>;
  /** Queues requests once `trx` has committed. */
  enqueueRequests: (trx: Db, org_id: string, ids: readonly string[]) => Promise<void>;
}

interface Waiting {
  row: NewRequest;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The most requests that one transaction stores. */
const MOST_TOGETHER = 200;

/**
 * Stores requests. Those of an organization that arrive while others are being stored share the next transaction, so a
 * hundred people who press a button at once wait for the disk two or three times, and not a hundred times.
 */
export function createIntake({ db, enqueueRequests }: IntakeDeps) {
  const waiting = new Map<string, Waiting[]>();

  /** Resolves once the request is stored, or was stored before. */
  async function store(org_id: string, row: NewRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { row, resolve, reject };
      const others = waiting.get(org_id);
      if (others !== undefined) others.push(entry);
      else {
        waiting.set(org_id, [entry]);
        void drain(org_id);
      }
    });
  }

  async function drain(org_id: string): Promise<void> {
    for (;;) {
      const entries = waiting.get(org_id)?.splice(0, MOST_TOGETHER) ?? [];
      if (entries.length === 0) break;
      await write(org_id, entries);
    }
    waiting.delete(org_id);
  }

  async function write(org_id: string, entries: readonly Waiting[]): Promise<void> {
    try {
      await db.inOrg(org_id, async (trx) => {
        const ids = await insertRequests(
          trx,
          org_id,
          entries.map(({ row }) => row),
        );
        if (ids.length > 0) await enqueueRequests(trx, org_id, ids);
      });
      for (const { resolve } of entries) resolve();
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }

  return { store };
}

export type Intake = ReturnType<typeof createIntake>;

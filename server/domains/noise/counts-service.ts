import type { NoiseOccurrence } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { inBatches } from '../../lib/in-batches.ts';
import * as store from './counts-store.ts';
import { lockSettings } from './patterns-store.ts';
import type { NoiseRun } from './types.ts';

const DAY_MS = 86_400_000;
/** How long sightings are kept after they were last seen: longer than the longest window. */
const RETENTION_DAYS = 400;
/** Limit of one transaction: it starts another analysis only while fewer occurrences than these were counted. */
const COUNTED_AT_ONCE = 5_000;
/** Each can have 5,000 pairs. */
const EXPIRED_AT_ONCE = 4;

export type CountsDeps = Pick<ServiceDeps, 'db' | 'sweep_db' | 'log' | 'now'>;

export function createCounts({ db, sweep_db, log, now }: CountsDeps) {
  /**
   * Stores the noise of an analysis, within the transaction that ends it; it is counted within seconds, or when the
   * organization's patterns are listed. Safe to call twice for one run.
   *
   * @param occurrences at most 5,000
   */
  async function record(trx: Db, orgId: string, run: NoiseRun, occurrences: readonly NoiseOccurrence[]): Promise<void> {
    if (occurrences.length > 0) await store.putInInbox(trx, orgId, run, occurrences);
  }

  /**
   * Counts waiting sightings and removes those that left the window, up to a limit that keeps the transaction short.
   */
  async function settle(orgId: string): Promise<void> {
    await db.inOrg(orgId, async (trx) => {
      const { window_days } = await lockSettings(trx, orgId);
      const at = now();
      await store.expireSightings(trx, orgId, at, EXPIRED_AT_ONCE);
      for (let counted = 0; counted < COUNTED_AT_ONCE; ) {
        const more = await store.countNext(trx, orgId, { window_days, now: at });
        if (more === null) return;
        counted += more;
      }
    });
  }

  /**
   * Updates the counts of all organizations that need it.
   *
   * @throws Error if some could not be updated; all others were
   */
  async function settleAll(): Promise<void> {
    const failed: string[] = [];
    for (;;) {
      const orgs = await store.listOrgsToSettle(sweep_db, now(), failed);
      if (orgs.length === 0) break;
      for (const org_id of orgs) {
        try {
          await settle(org_id);
        } catch (error) {
          log.warn({ err: error, org_id }, 'plan noise not counted');
          failed.push(org_id);
        }
      }
    }
    if (failed.length > 0) throw new Error(`the plan noise of ${failed.length} organization(s) could not be counted`);
  }

  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - RETENTION_DAYS * DAY_MS);
    await inBatches((limit) => store.deleteOld(sweep_db, before, limit));
  }

  return { record, settle, settleAll, deleteOld };
}

export type Counts = ReturnType<typeof createCounts>;

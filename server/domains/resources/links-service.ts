import { randomBytes } from 'node:crypto';
import type { LinkCandidate } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { chooseLinks, listLookups } from './link-match.ts';
import * as store from './links-store.ts';
import type { FoundLink } from './types.ts';

/** Connects the changes of analyses with the live resources that they are about. */
export function createPlanLinks({ db }: Pick<ServiceDeps, 'db'>) {
  /**
   * Marks the places of IDs in the result of one analysis; null if the organization has no inventory, so that its analyses
   * spend nothing on links.
   */
  async function createMark(org_id: string): Promise<string | null> {
    const has_inventory = await db.readInOrg(org_id, (read) => store.hasInventory(read, org_id));
    return has_inventory ? randomBytes(8).toString('hex') : null;
  }

  /** The live resources of changes, as far as they are certain. */
  async function find(org_id: string, candidates: readonly LinkCandidate[]): Promise<FoundLink[]> {
    if (candidates.length === 0) return [];
    const lookups = listLookups(candidates);
    return chooseLinks(candidates, await db.readInOrg(org_id, (read) => store.lookUp(read, org_id, lookups)));
  }

  /** Stores links in the transaction that ends their analysis. */
  async function record(
    trx: Db,
    org_id: string,
    run: { scan_run_id: string; created_at: Date },
    links: readonly FoundLink[],
  ): Promise<void> {
    if (links.length > 0) await store.insertLinks(trx, org_id, run, links);
  }

  return { createMark, find, record };
}

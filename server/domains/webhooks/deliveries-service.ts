import type { Db, OrgDatabase } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import * as store from './deliveries-store.ts';
import { findConfig } from './store.ts';
import type { Delivery, DeliveryFilter } from './types.ts';

const KEPT_MS = 30 * 86_400_000;
const DELETED_AT_ONCE = 1_000;

export interface DeliveriesDeps {
  db: OrgDatabase;
  sweep_db: Db;
  now: () => Date;
}

export function createDeliveries({ db, sweep_db, now }: DeliveriesDeps) {
  /** One page of what a configuration received and sent, newest first. @throws NotFound */
  async function list(
    orgId: string,
    filter: DeliveryFilter,
    page: { limit: number; offset: number },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    return db.inOrg(orgId, async (trx) => {
      if ((await findConfig(trx, orgId, filter.config_id)) === undefined) throw new NotFound();
      return store.listDeliveries(trx, orgId, filter, page);
    });
  }

  async function deleteOld(): Promise<void> {
    const before = new Date(now().getTime() - KEPT_MS);
    let deleted = DELETED_AT_ONCE;
    while (deleted === DELETED_AT_ONCE) deleted = await store.deleteDeliveries(sweep_db, before, DELETED_AT_ONCE);
  }

  return { list, deleteOld };
}

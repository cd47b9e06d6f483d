import type { ColumnSealer, Db, OrgDatabase } from '../../db/index.ts';
import { sealTarget } from './address.ts';
import * as store from './store.ts';

const BATCH = 200;

export interface TargetSealingDeps {
  db: OrgDatabase;
  platform_db: Db;
  sealer: ColumnSealer;
}

/** Seals the addresses of generic webhooks that releases before it stored in clear. */
export function createTargetSealing({ db, platform_db, sealer }: TargetSealingDeps) {
  /** Leaves no address in clear that was there when it began; any number of processes may run it at once. */
  return async function sealTargets(): Promise<void> {
    let last: string | undefined;
    for (;;) {
      const batch = await store.listClearTargets(platform_db, last, BATCH);
      for (const row of batch) await sealOne(row);
      last = batch.at(-1)?.id;
      if (batch.length < BATCH) return;
    }
  };

  async function sealOne(row: store.ClearTarget): Promise<void> {
    const { org_id, id } = row;
    await db.inOrg(org_id, (trx) =>
      store.replaceClearTarget(trx, row, (target) => sealTarget(sealer, { orgId: org_id, id }, target)),
    );
  }
}

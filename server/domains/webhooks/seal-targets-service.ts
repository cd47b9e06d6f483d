import type { ServiceDeps } from '../../contract/service-deps.ts';
import { sealTarget } from './address.ts';
import * as store from './store.ts';

const BATCH = 200;

export type TargetSealingDeps = Pick<ServiceDeps, 'db' | 'platform_db' | 'sealer'>;

/** Encrypts the URLs of generic webhooks that older releases stored in clear text. */
export function createTargetSealing({ db, platform_db, sealer }: TargetSealingDeps) {
  /** Leaves no clear-text URL that existed when it began; any number of processes can run it concurrently. */
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

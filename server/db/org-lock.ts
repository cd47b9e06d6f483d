import type { Db } from './index.ts';

/**
 * Holds the org's row until the transaction ends, so that what limits and invariants are checked against (owners,
 * seats, keys, analyses of the hour) cannot change before it is acted upon. Taken first, hence in the same order by all.
 */
export async function lockOrg(trx: Db, orgId: string): Promise<void> {
  await trx('orgs').where({ id: orgId }).forUpdate().select('id');
}

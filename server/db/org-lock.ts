import type { Db } from './types.ts';

/**
 * Holds the org's row until the transaction ends, so that what limits and invariants are checked against (owners,
 * seats, keys, analyses of the hour) cannot change before it is acted upon. Taken first, hence in the same order by all.
 * Rows that merely refer to the org do not wait for it.
 */
export async function lockOrg(trx: Db, orgId: string): Promise<void> {
  await trx('orgs').where({ id: orgId }).forNoKeyUpdate().select('id');
}

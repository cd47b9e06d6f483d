import type { Db } from './types.ts';

/**
 * Locks the organization's row until the transaction ends, so that limits and invariants (owners, seats, keys, hourly
 * analyses) cannot change between check and action. All callers take this lock first, so they cannot deadlock.
 * Foreign-key references to the organization do not wait for it.
 */
export async function lockOrg(trx: Db, orgId: string): Promise<void> {
  await trx('orgs').where({ id: orgId }).forNoKeyUpdate().select('id');
}

/** The same without waiting. @returns whether this transaction has the lock */
export async function tryLockOrg(trx: Db, orgId: string): Promise<boolean> {
  const rows = await trx('orgs').where({ id: orgId }).forNoKeyUpdate().skipLocked().select('id');
  return rows.length > 0;
}

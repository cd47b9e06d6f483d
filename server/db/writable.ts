import type { Knex } from 'knex';
import { Unavailable } from '../lib/errors.ts';

/**
 * A sort that exceeds 64 kB of memory, so the server writes about 250 kB to its disk temporarily. This detects a full
 * disk, which a plain read would not, and leaves nothing in the log or a table.
 */
const SPILLING_SORT = `
  select count(*) from (select repeat('x', 100) || n from generate_series(1, 2000) n order by 1 desc offset 0) as sorted`;

/** @throws Unavailable if the database does not respond or is read-only; StorageUnavailable if its disk is full */
export async function assertWritable(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw(`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
        set_config('work_mem', '64kB', true)`);
    if (rows[0].read_only) throw new Unavailable('the database is read-only');
    await trx.raw(SPILLING_SORT);
  });
}

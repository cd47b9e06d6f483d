import type { Knex } from 'knex';
import { Unavailable } from '../lib/errors.ts';

/**
 * A sort that does not fit into 64 kB, so that the server writes about 250 kB to its disk and gives them back: it sees a
 * full disk, which reading a value would not, and leaves nothing behind, neither in the log nor in a table.
 */
const SPILLING_SORT = `
  select count(*) from (select repeat('x', 100) || n from generate_series(1, 2000) n order by 1 desc offset 0) as sorted`;

/** @throws Unavailable when the database does not answer or only reads; StorageUnavailable when its disk is full */
export async function assertWritable(db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw(`
      select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
        set_config('work_mem', '64kB', true)`);
    if (rows[0].read_only) throw new Unavailable('the database is read-only');
    await trx.raw(SPILLING_SORT);
  });
}

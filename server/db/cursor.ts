import type { Knex } from 'knex';
import type { Db } from './types.ts';

const FETCH_ROWS = 1_000;

/**
 * Reads the rows of a query in batches, with the next batch already requested.
 *
 * @param trx a transaction, which holds the cursor
 * @param name of the cursor; one transaction has one cursor of a name at a time
 * @param batch_rows rows of a batch. Smaller batches of wide rows die young: those that are alive when the young generation
 *   is collected move to the old one, where they stay for long
 */
export async function* readCursor<Row>(
  trx: Db,
  name: string,
  sql: string,
  bindings: Knex.RawBinding[] | Knex.ValueDict = [],
  batch_rows = FETCH_ROWS,
): AsyncGenerator<Row[]> {
  await trx.raw(`declare ${name} no scroll cursor for ${sql}`, bindings as Knex.RawBinding[]);
  const fetch = async () => (await trx.raw<{ rows: Row[] }>(`fetch ${batch_rows} from ${name}`)).rows;
  for (let next = fetch(); ; ) {
    const rows = await next;
    const more = rows.length === batch_rows;
    if (more) {
      next = fetch();
      // It is awaited in the next iteration, or never if the reader stops.
      next.catch(() => {});
    }
    yield rows;
    if (more) continue;
    await trx.raw(`close ${name}`);
    return;
  }
}

import type { Knex } from 'knex';
import type { NthNewest } from '../lib/hourly-limit.ts';

/**
 * The time of the nth newest of `rows` after `since`, for an hourly limit; undefined if there are fewer.
 *
 * @param column a timestamp; an index has it last, after the columns that select the rows
 */
export async function findNthNewest(
  rows: Knex.QueryBuilder,
  { nth, since }: NthNewest,
  column = 'created_at',
): Promise<Date | undefined> {
  const row = await rows
    .where(column, '>', since)
    .orderBy(column, 'desc')
    .offset(nth - 1)
    .first(column);
  return row?.[column];
}

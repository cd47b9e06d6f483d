import type { Db } from './types.ts';

/** The time of the database: the one clock that all processes share. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await db.raw('select clock_timestamp() as now');
  return rows[0].now;
}

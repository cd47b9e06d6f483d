import type { Db } from '../../db/index.ts';

/** Reads the database's clock, the only one that decides when a schedule runs. */
export type Clock = (db: Db) => Promise<Date>;

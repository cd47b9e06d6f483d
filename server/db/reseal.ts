import { SealError, type Sealer, sealedBy } from '../lib/seal.ts';
import type { Db } from './types.ts';

/** A column that holds sealed records, and to what each of them is bound. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, of one column. */
  key: string;
  /** Further columns that `aad` reads. */
  reads: readonly string[];
  aad(row: Record<string, string>): string;
}

export interface Resealed {
  table: string;
  column: string;
  /** Rows that were sealed anew. */
  resealed: number;
  /** Rows that no given key opens, as a key of each and why. */
  unreadable: { key: string; reason: SealError['error_class'] }[];
}

const BATCH = 200;

/**
 * Seals every record of a column under the first master key that another one sealed. A row at a time and only where it
 * still is what was read, so services may go on writing, and breaking it off loses nothing: it goes on where it was.
 *
 * @param masterKeys as for `createSealer`, from which `sealer` was made
 */
export async function reseal(
  db: Db,
  { table, column, key, reads, aad }: SealedColumn,
  { sealer, masterKeys }: { sealer: Sealer; masterKeys: readonly Uint8Array[] },
): Promise<Resealed> {
  const [first] = masterKeys;
  if (first === undefined) throw new Error('sealing needs a master key');
  const done: Resealed = { table, column, resealed: 0, unreadable: [] };
  let after: string | undefined;
  for (;;) {
    const rows = await others(after);
    for (const row of rows) await resealRow(row);
    after = rows.at(-1)?.[key] as string | undefined;
    if (rows.length < BATCH) return done;
  }

  async function others(last: string | undefined): Promise<Record<string, unknown>[]> {
    const waiting = db(table)
      .whereRaw('substring(?? from 1 for ?) <> ?', [column, sealedBy(first!).length, sealedBy(first!)])
      .orderBy(key)
      .limit(BATCH)
      .select(key, column, ...reads);
    return last === undefined ? waiting : waiting.where(key, '>', last);
  }

  async function resealRow(row: Record<string, unknown>): Promise<void> {
    const sealed = row[column] as Buffer;
    const id = String(row[key]);
    try {
      const bound = aad(row as Record<string, string>);
      const fresh = sealer.seal(sealer.open(sealed, bound), bound);
      done.resealed += await db(table)
        .where({ [key]: id, [column]: sealed })
        .update({ [column]: fresh });
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      done.unreadable.push({ key: id, reason: error.error_class });
    }
  }
}

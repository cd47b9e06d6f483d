import type { Db } from '../../db/index.ts';
import { inSnapshot, readLines } from './store.ts';

/**
 * Writes a snapshot of the whole log, one row per line as JSON, for `dpa audit verify` or another verifier.
 *
 * @param platform_db of the role that sees all chains
 * @param write receives a text of whole lines; the next text is read after it has resolved
 * @returns the number of rows
 */
export async function dumpAuditLog(platform_db: Db, write: (lines: string) => Promise<void>): Promise<number> {
  return inSnapshot(platform_db, async (trx) => {
    let count = 0;
    for await (const rows of readLines(trx)) {
      await write(rows.map(({ line }) => `${line}\n`).join(''));
      count += rows.length;
    }
    return count;
  });
}

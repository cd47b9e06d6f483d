import type { Db } from '../../db/index.ts';
import { inSnapshot, readLines } from './store.ts';

/**
 * Writes the whole log as of one moment, one row a line as JSON, for `dpa audit verify` or a verifier of one's own.
 *
 * @param platform_db of the role that sees every chain
 * @param write takes a text of whole lines; the next is read once it has resolved
 * @returns how many rows there were
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

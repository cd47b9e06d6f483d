import type { Knex } from 'knex';
import { SealError, type Sealer, sealedBy } from '../lib/seal.ts';
import type { Db, OrgDatabase } from './types.ts';

/** A column of sealed records, and to what each of them is bound. An empty one was wiped. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Holds the id of the org. */
  org_column: 'id' | 'org_id';
  /** Tells the records of one org apart. */
  key: 'id' | 'org_id';
  /** Further columns that `aad` reads. */
  reads: readonly string[];
  aad(row: Record<string, string>): string;
}

export interface Resealed {
  table: string;
  column: string;
  /** Records that were sealed anew. */
  resealed: number;
  /** Records that no given key opens: of which org, and why. */
  unreadable: { org_id: string; reason: SealError['error_class'] }[];
}

export interface ResealDeps {
  /** Knows which orgs there are, and reads no secret. */
  platform_db: Knex;
  db: OrgDatabase;
  sealer: Sealer;
  /** From which `sealer` was made. */
  masterKeys: readonly Uint8Array[];
}

const BATCH = 200;

/**
 * Seals every record of a column under the first master key that another one sealed. One org after the other, each
 * record only where it still is what was read: services may go on writing, and breaking it off loses nothing.
 */
export async function reseal(
  { platform_db, db, sealer, masterKeys }: ResealDeps,
  { table, column, org_column, key, reads, aad }: SealedColumn,
): Promise<Resealed> {
  const [first] = masterKeys;
  if (first === undefined) throw new Error('encryption needs a master key');
  const current = sealedBy(first);
  const done: Resealed = { table, column, resealed: 0, unreadable: [] };
  for await (const org_id of iterateOrgIds(platform_db)) {
    let row = await findNext(org_id);
    while (row !== undefined) {
      try {
        done.resealed += await resealRow(org_id, row);
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        done.unreadable.push({ org_id, reason: error.error_class });
      }
      row = await findNext(org_id, row[key]);
    }
  }
  return done;

  /** The first record after the given one that another key sealed. */
  async function findNext(org_id: string, after?: string): Promise<Record<string, string> | undefined> {
    return db.readInOrg(org_id, (read) => {
      const rows = read(table)
        .where({ [org_column]: org_id })
        .whereRaw('octet_length(??) > 0', [column])
        .whereRaw('substring(?? from 1 for ?) <> ?', [column, current.length, current]);
      if (after !== undefined) rows.where(key, '>', after);
      return rows.orderBy(key).first(...new Set([org_column, key, column, ...reads]));
    });
  }

  async function resealRow(org_id: string, row: Record<string, string>): Promise<number> {
    const sealed = row[column] as unknown as Buffer;
    const bound = aad(row);
    const fresh = sealer.seal(sealer.open(sealed, bound), bound);
    return db.inOrg(org_id, (trx) =>
      trx(table)
        .where({ [org_column]: org_id, [key]: row[key], [column]: sealed })
        .update({ [column]: fresh }),
    );
  }
}

async function* iterateOrgIds(platform_db: Db): AsyncIterable<string> {
  let last: string | undefined;
  for (;;) {
    const page = platform_db('orgs').orderBy('id').limit(BATCH);
    const ids: string[] = await (last === undefined ? page : page.where('id', '>', last)).pluck('id');
    yield* ids;
    last = ids.at(-1);
    if (ids.length < BATCH) return;
  }
}

import type { Knex } from 'knex';
import { SealError, type Sealer, sealedBy } from '../lib/seal.ts';
import type { Db, OrgDatabase } from './types.ts';

/** A column of encrypted records, and what each of them is bound to. An empty value was deleted. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Column with the id of the organization. */
  org_column: 'id' | 'org_id';
  /** Column that distinguishes the records of one organization. */
  key: 'id' | 'org_id';
  /** Further columns that `aad` reads. */
  reads: readonly string[];
  aad(row: Record<string, string>): string;
}

export interface Resealed {
  table: string;
  column: string;
  /** Number of records that were encrypted again. */
  resealed: number;
  /** Records that no given key decrypts: their organization, and why. */
  unreadable: { org_id: string; reason: SealError['error_class'] }[];
}

export interface ResealDeps {
  /** Can list organizations, and reads no secret. */
  platform_db: Knex;
  db: OrgDatabase;
  sealer: Sealer;
  /** The keys from which `sealer` was created. */
  masterKeys: readonly Uint8Array[];
}

const BATCH = 200;

/**
 * Encrypts every record of a column with the first master key if another one encrypted it. Works on one organization
 * after the other, and updates each record only if it has not changed since it was read: services can keep writing, and
 * an interruption loses nothing.
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

  /** The first record after the given one that another key encrypted. */
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

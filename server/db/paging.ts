import type { Knex } from 'knex';
import type { Db } from './index.ts';

/** Up to this offset, skipping rows is cheaper than avoiding it. */
const SHALLOW = 200;

export interface PagedQuery {
  /** The rows to list, without order and columns. */
  matching: Knex.QueryBuilder;
  table: string;
  /** All descending, and unique together with the primary key `id` last; an index starts with them. */
  order: readonly string[];
  columns: readonly string[];
  page: { limit: number; offset: number };
  countTotal(): Promise<number>;
}

/**
 * One page of a list and its total. The skipped rows of a deep page are skipped within the index, from the nearer end.
 *
 * Rows that are added between the two queries shift a page just as they would between two requests.
 */
export async function readPage<Row>(db: Db, query: PagedQuery): Promise<{ rows: Row[]; total: number }> {
  const { limit, offset } = query.page;
  if (offset <= SHALLOW) {
    const [rows, total] = await Promise.all([
      readRows<Row>(db, query, { limit, offset, newest: true }),
      query.countTotal(),
    ]);
    return { rows, total };
  }
  const total = await query.countTotal();
  const present = Math.max(0, Math.min(limit, total - offset));
  if (present === 0) return { rows: [], total };
  const behind = total - offset - present;
  if (offset <= behind)
    return { rows: await readRows<Row>(db, query, { limit: present, offset, newest: true }), total };
  const rows = await readRows<Row>(db, query, { limit: present, offset: behind, newest: false });
  return { rows: rows.reverse(), total };
}

async function readRows<Row>(
  db: Db,
  { matching, table, order, columns }: PagedQuery,
  { limit, offset, newest }: { limit: number; offset: number; newest: boolean },
): Promise<Row[]> {
  const sorted = (prefix: string) =>
    order.map((column) => ({ column: `${prefix}.${column}`, order: newest ? 'desc' : 'asc' }));
  const page = matching.clone().orderBy(sorted(table)).limit(limit).offset(offset);
  if (offset <= SHALLOW) return page.select(columns.map((column) => `${table}.${column}`)) as Promise<Row[]>;
  return db
    .from(page.select(`${table}.id`).as('page'))
    .join(`${table} as row`, 'row.id', 'page.id')
    .orderBy(sorted('row'))
    .select(columns.map((column) => `row.${column}`)) as Promise<Row[]>;
}

/**
 * The order of lists: newest first, and unique.
 *
 * @param alias of the table with the columns `created_at` and `id`, if the query joins others
 */
export function newestFirst(alias?: string): { column: string; order: 'desc' }[] {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return ['created_at', 'id'].map((name) => ({ column: prefix + name, order: 'desc' }));
}

/** One page of the matching rows, newest first; `alias` as in `newestFirst`. */
export function takeNewest(
  matching: Knex.QueryBuilder,
  { limit, offset }: PagedQuery['page'],
  alias?: string,
): Knex.QueryBuilder {
  return matching.clone().orderBy(newestFirst(alias)).limit(limit).offset(offset);
}

export async function countRows(matching: Knex.QueryBuilder): Promise<number> {
  const [counted] = await matching.clone().count('* as count');
  return Number(counted.count);
}

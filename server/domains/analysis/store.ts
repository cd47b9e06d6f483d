import type { Db } from '../../db/index.ts';

/** When the nth newest analysis since `since` was submitted; undefined while there are fewer. */
export async function findNthNewestAnalysis(db: Db, orgId: string, n: number, since: Date): Promise<Date | undefined> {
  const row = await db('llm_jobs')
    .where({ org_id: orgId, kind: 'analyze' })
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .offset(n - 1)
    .first('created_at');
  return row?.created_at;
}

/** Analyses that were submitted since then. */
export async function countAnalyses(db: Db, orgId: string, since: Date): Promise<number> {
  const row = await db('llm_jobs')
    .where({ org_id: orgId, kind: 'analyze' })
    .where('created_at', '>', since)
    .count({ count: '*' })
    .first();
  return Number(row?.['count'] ?? 0);
}

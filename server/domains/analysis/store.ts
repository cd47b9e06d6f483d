import { type Db, findNthNewest } from '../../db/index.ts';
import { countRows } from '../../db/paging.ts';
import type { NthNewest } from '../../lib/hourly-limit.ts';

/** When the nth newest analysis since `since` was submitted; undefined while there are fewer. */
export async function findNthAnalysis(db: Db, orgId: string, range: NthNewest): Promise<Date | undefined> {
  return findNthNewest(db('llm_jobs').where({ org_id: orgId, kind: 'analyze' }), range);
}

/** Analyses that were submitted since then. */
export async function countAnalyses(db: Db, orgId: string, since: Date): Promise<number> {
  return countRows(db('llm_jobs').where({ org_id: orgId, kind: 'analyze' }).where('created_at', '>', since));
}

import type { Knex } from 'knex';

/** Writes as many analyses of an organization as the hourly limit allows. */
export async function useUpAnalyses(admin_db: Knex, org_id: string): Promise<void> {
  await admin_db.raw(
    `insert into llm_jobs (id, org_id, kind, status, created_by, finished_at)
     select gen_random_uuid(), id, 'analyze', 'done', (select user_id from memberships where org_id = orgs.id), now()
     from orgs, generate_series(1, 30) where id = ?`,
    [org_id],
  );
}

import pg from 'pg';

/**
 * Counts in the database itself, not through the service, how often each analysis finished. More than once is a
 * duplicate effect.
 */
export async function watchEffects(owner_url: string) {
  const client = new pg.Client({ connectionString: owner_url });
  await client.connect();
  await client.query(`
    create table fault_effects (scan_run_id uuid not null, at timestamptz not null default clock_timestamp());
    grant insert on fault_effects to app_rw;
    create function fault_note() returns trigger language plpgsql as $$
    begin
      insert into fault_effects (scan_run_id) values (new.id);
      return null;
    end $$;
    create trigger fault_note after update of status, result_json on scan_runs
      for each row when (new.status in ('done', 'error')) execute function fault_note();
  `);

  async function count(sql: string): Promise<number> {
    const { rows } = await client.query(`select count(*)::int as n from ${sql}`);
    return rows[0].n;
  }

  return {
    done: () => count("llm_jobs where status = 'done'"),
    ended: () => count("llm_jobs where status in ('done', 'error')"),
    failed: () => count("llm_jobs where status = 'error'"),
    interrupted: () => count('llm_jobs where attempts > 1'),
    doubled: () => count('(select from fault_effects group by scan_run_id having count(*) > 1) as twice'),
    without_result: () => count("scan_runs where status <> 'done' or result_json is null"),
    close: () => client.end(),
  };
}

import pg from 'pg';

/** A usage counter, and the jobs that it should have counted. */
export interface Bucket {
  org_id: string;
  kind: 'weekly' | 'hourly';
  window_start: Date;
  used: number;
  billed: number;
}

/** A job is billed if the platform model explained its plan; none of these organizations has its own model. */
const BILLED = `
  select j.org_id, j.reserved_week, j.reserved_hour, j.reservation
  from llm_jobs j join scan_runs r on r.org_id = j.org_id and r.id = j.scan_run_id
  where j.status = 'done' and r.result_json->>'narrative_status' = 'ready'`;

/** Reads counters and jobs from the database itself, not through the service. */
export async function openLedger(owner_url: string) {
  const client = new pg.Client({ connectionString: owner_url });
  await client.connect();

  async function count(sql: string): Promise<number> {
    const { rows } = await client.query(`select count(*)::int as n from ${sql}`);
    return rows[0].n;
  }

  /** Every counter that exists or should exist. */
  async function buckets(): Promise<Bucket[]> {
    const { rows } = await client.query<Bucket>(`
      with billed as (${BILLED}), should as (
        select org_id, 'weekly' as kind, reserved_week as window_start, count(*)::int as billed
        from billed group by 1, 2, 3
        union all
        select org_id, 'hourly', reserved_hour, count(*)::int from billed group by 1, 2, 3
      )
      select org_id, kind, window_start, coalesce(b.used, 0) as used, coalesce(s.billed, 0) as billed
      from llm_quota_buckets b full join should s using (org_id, kind, window_start)`);
    return rows;
  }

  return {
    buckets,
    billed: () => count(`(${BILLED}) as billed`),
    held: () => count("llm_jobs where reservation = 'held'"),
    /** Jobs whose reservation does not match their result. */
    misfiled: () =>
      count(`llm_jobs j join scan_runs r on r.org_id = j.org_id and r.id = j.scan_run_id
             where (j.reservation = 'settled') <> (coalesce(r.result_json->>'narrative_status', '') = 'ready')`),
    async setPlan(org_id: string, plan: string): Promise<void> {
      await client.query('update orgs set plan = $2 where id = $1', [org_id, plan]);
    },
    close: () => client.end(),
  };
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

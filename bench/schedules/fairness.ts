import type { BenchRow } from '../lib/row.ts';
import { addSchedules, openScheduleDatabase, openScheduleProcess, type ScheduleDatabase } from './harness.ts';

const MANY = 10_000;
const GOAL_MS = 1_000;
/** By how many schedules that are not due the cost of a look is multiplied. */
const GROWTH = 100;
const COST_GOAL = 2;

/** F2: while an organization has 10,000 schedules due, the only one of another is fired. F3: cost of a look. */
export async function benchFairness(): Promise<BenchRow[]> {
  const database = await openScheduleDatabase();
  const scheduler = openScheduleProcess(database.url);
  try {
    const cost = await measureCost(database);
    await addSchedules(database, MANY, `now() - interval '1 minute'`);
    await scheduler.schedules.fire();
    const single = await addSchedules(database, 1, 'clock_timestamp()');
    let late_ms: number | undefined;
    while (late_ms === undefined) {
      await scheduler.schedules.fire();
      late_ms = await findLateness(database, single);
    }
    return [toFairnessRow(late_ms), cost];
  } finally {
    await scheduler.close();
    await database.close();
  }
}

async function findLateness({ owner }: ScheduleDatabase, org_id: string): Promise<number | undefined> {
  const { rows } = await owner.query(
    'select (extract(epoch from fired_at - due_at) * 1000)::float as late_ms from schedule_firings where org_id = $1',
    [org_id],
  );
  return rows[0]?.late_ms;
}

function toFairnessRow(late_ms: number): BenchRow {
  return {
    id: 'F2',
    what: `lateness of a single schedule while another organization has ${MANY} due`,
    ...{ measured: late_ms, limit: GOAL_MS, unit: 'ms', goal: `≤ ${GOAL_MS} ms`, passed: late_ms <= GOAL_MS },
  };
}

async function measureCost(database: ScheduleDatabase): Promise<BenchRow> {
  const later = `now() + interval '1 day'`;
  await addSchedules(database, MANY / GROWTH, later);
  const few = await countBlocks(database);
  await addSchedules(database, MANY, later);
  const many = await countBlocks(database);
  const measured = many / Math.max(1, few);
  return {
    id: 'F3',
    what: `pages read to look for due schedules, with ${GROWTH} × as many that are not due`,
    ...{ measured, limit: COST_GOAL, unit: 'ratio', goal: `≤ ${COST_GOAL} ×`, passed: measured <= COST_GOAL },
    note: `${few} and ${many} pages`,
  };
}

/** The statement that every scheduler runs twice a second. */
async function countBlocks({ owner }: ScheduleDatabase): Promise<number> {
  await owner.query('vacuum analyze schedules');
  const { rows } = await owner.query(
    `explain (analyze, buffers, format json) select org_id from schedules where next_run_at <= now()`,
  );
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchRow } from '../lib/row.ts';
import { addSchedules, openScheduleDatabase, type ScheduleDatabase } from './harness.ts';
import { killWorker, startWorker } from './workers.ts';

const COUNT = Number(process.env['SOAK_FIRINGS'] ?? 20_000);
const PER_ORG = 200;
const SCHEDULERS = 16;
/** A million firings have 200. */
const KILLS = Math.max(8, Math.round(COUNT / 5_000));
const SKEW_MS = 10_000;
/** Counting what is left takes longer the more there is. */
const POLL_MS = 250 + COUNT / 400;
/** Their next runs are months away, so that each schedule is due once. */
const YEARLY = `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;

type Counted = 'fired' | 'schedules' | 'scans' | 'queued';

/**
 * F4: schedules that are due fire exactly once, while sixteen schedulers are killed again and again, their clocks differ by
 * up to ten seconds from that of the database, and the database restarts.
 */
export async function benchSoak(): Promise<BenchRow[]> {
  const database = await openScheduleDatabase();
  // The restart ends its connection.
  database.owner.on('error', () => {});
  const orgs = Math.ceil(COUNT / PER_ORG);
  for (let n = 0; n < orgs; n += 1) await addSchedules(database, PER_ORG, 'now()', YEARLY);
  const begun = performance.now();
  const workers: ChildProcess[] = [];
  try {
    for (let place = 0; place < SCHEDULERS; place += 1) workers.push(await startScheduler(database, place));
    const kills = await disturb(database, workers, orgs * PER_ORG);
    return [await toRow(database, { count: orgs * PER_ORG, kills, seconds: (performance.now() - begun) / 1_000 })];
  } finally {
    for (const worker of workers) await killWorker(worker);
    await database.close();
  }
}

/** Kills schedulers at equal shares of the work, and restarts the database at half of it. @returns the number of kills */
async function disturb(database: ScheduleDatabase, workers: ChildProcess[], count: number): Promise<number> {
  let kills = 0;
  let is_restarted = false;
  for (;;) {
    await wait(POLL_MS);
    const left = await countDue(database);
    if (left === 0) return kills;
    const done = (count - left) / count;
    if (!is_restarted && done >= 0.5) {
      await restart(database);
      is_restarted = true;
    }
    if (done * KILLS <= kills) continue;
    const place = kills % SCHEDULERS;
    await killWorker(workers[place]);
    workers[place] = await startScheduler(database, place);
    kills += 1;
  }
}

/** Their clocks are spread over twenty seconds. */
async function startScheduler({ url }: ScheduleDatabase, place: number): Promise<ChildProcess> {
  const worker = await startWorker(url, Math.round(SKEW_MS * ((2 * place) / (SCHEDULERS - 1) - 1)));
  worker.send('fire');
  return worker;
}

/** The embedded database starts again when it ends. */
async function restart({ folder }: ScheduleDatabase): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGINT');
}

async function countDue(database: ScheduleDatabase): Promise<number> {
  const query = 'select count(*)::integer as left from schedules where next_run_at <= now()';
  return (await database.ask<{ left: number }>(query)).left;
}

async function toRow(
  database: ScheduleDatabase,
  { count, kills, seconds }: { count: number; kills: number; seconds: number },
): Promise<BenchRow> {
  const { fired, schedules, scans, queued } = await database.ask<Record<Counted, number>>(
    `select (select count(*)::integer from schedule_firings) as fired,
       (select count(distinct schedule_id)::integer from schedule_firings) as schedules,
       (select count(*)::integer from scan_runs) as scans, (select count(*)::integer from outbox) as queued`,
  );
  const wrong = [fired - schedules, count - schedules, Math.abs(scans - count), Math.abs(queued - count)];
  const measured = wrong.reduce((sum, one) => sum + one, 0);
  return {
    id: 'F4',
    what: `wrong firings of ${count}, with ${SCHEDULERS} schedulers, ${kills} kills, a restart of the database and clocks that differ by 10 s`,
    ...{ measured, limit: 0, unit: 'firings', goal: 'none lost, none doubled', passed: measured === 0 },
    note: `${wrong[1]} lost, ${wrong[0]} doubled, ${scans} scans, ${queued} outbox rows; ${Math.round(seconds)} s`,
  };
}

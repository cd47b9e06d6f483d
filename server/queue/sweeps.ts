import { keepSession } from '../db/session.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Stoppable, Sweep } from './types.ts';

/** The ASCII codes of "dpas"; the process that holds this lock runs the maintenance of the whole installation. */
const SCHEDULER_LOCK = 0x64706173;
const CANDIDATE_MS = 5_000;

export interface SweepsDeps {
  database_url: string;
  sweeps: readonly Sweep[];
  /** How often other processes try to become the leader. */
  candidate_ms?: number;
  log: Logger;
  metrics: Metrics;
}

/**
 * Runs recurring maintenance in one process at a time: the leader holds an advisory lock in a session, so a killed
 * leader is replaced within seconds. A new leader runs everything once immediately.
 */
export function startSweeps(deps: SweepsDeps): Stoppable {
  const { database_url, sweeps, candidate_ms = CANDIDATE_MS, log, metrics } = deps;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  /** Names of sweeps whose last run failed. */
  const failing = new Set<string>();

  const session = keepSession({
    url: database_url,
    name: 'dpa scheduler',
    log,
    async prepare(client) {
      client.once('end', resign);
      await campaign();

      async function campaign(): Promise<void> {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as leader', [SCHEDULER_LOCK]);
        if (rows[0].leader) return lead();
        const timer = setTimeout(() => {
          timers.delete(timer);
          campaign().catch((error) => log.warn({ err: error }, 'scheduler lost its session'));
        }, candidate_ms);
        timers.add(timer);
      }
    },
  });

  function lead(): void {
    for (const sweep of sweeps) {
      timers.add(setInterval(() => run(sweep), sweep.every_ms));
      run(sweep);
    }
  }

  function resign(): void {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  }

  function run(sweep: Sweep): void {
    if (running.has(sweep.name)) return;
    const done = attempt(sweep).finally(() => running.delete(sweep.name));
    running.set(sweep.name, done);
  }

  async function attempt(sweep: Sweep): Promise<void> {
    try {
      await sweep.run();
      failing.delete(sweep.name);
      metrics.sweeps.inc({ sweep: sweep.name, outcome: 'done' });
    } catch (error) {
      metrics.sweeps.inc({ sweep: sweep.name, outcome: 'failed' });
      // A busy start or a short outage resolves itself; two failures in a row need attention.
      const level = failing.has(sweep.name) ? 'error' : 'warn';
      failing.add(sweep.name);
      log[level](
        { err: error, sweep: sweep.name },
        'maintenance task failed; it runs again at its next scheduled time',
      );
    }
  }

  return {
    async stop() {
      resign();
      await Promise.all(running.values());
      await session.close();
    },
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { PlanPool } from './adapters/plan-pool/index.ts';
import type { Config } from './config/index.ts';
import { listPendingMigrations } from './db/migrate.ts';
import { assertWritable } from './db/writable.ts';
import type { Health, Phase } from './http/index.ts';
import type { Stores } from './stores.ts';

const CHECK_TIMEOUT_MS = 2_000;
/** Health endpoints are public, so the backends are checked no more often than this. */
const FRESH_MS = 1_000;

type Outcome = Record<string, 'ok' | 'fail'>;

/** Stores, and the threads of this process. */
export type HealthTargets = Pick<Stores, 'platform_db' | 'blobs' | 'queue'> & { pool: Pick<PlanPool, 'check'> };

/**
 * Checks whether every configured backend responds, whether stores accept writes, and whether the plan threads make
 * progress. A check that takes longer than two seconds fails.
 */
export function createHealth(config: Config, stores: HealthTargets, phase: () => Phase): Health {
  const checks: Record<string, () => Promise<unknown>> = {
    postgres: () => assertWritable(stores.platform_db),
    migrations: async () => {
      if ((await listPendingMigrations(stores.platform_db)).length > 0) throw new Error('migrations are missing');
    },
    object_store: stores.blobs.check,
    plan_threads: stores.pool.check,
  };
  if (config.redis_url !== null) checks['redis'] = stores.queue.ping;

  async function checkAll(): Promise<Outcome> {
    const entries = Object.entries(checks).map(async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'fail']);
    return Object.fromEntries(await Promise.all(entries));
  }

  let latest: Promise<Outcome> | undefined;
  let checked_at = 0;
  return {
    phase,
    checks() {
      if (latest === undefined || Date.now() - checked_at >= FRESH_MS) {
        checked_at = Date.now();
        latest = checkAll();
      }
      return latest;
    },
  };
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = wait(CHECK_TIMEOUT_MS, false, { signal: timer.signal });
  late.catch(() => undefined);
  try {
    return await Promise.race([check().then(() => true), late]);
  } catch {
    return false;
  } finally {
    timer.abort();
  }
}

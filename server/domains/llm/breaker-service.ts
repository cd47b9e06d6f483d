import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { afterFailure, CLOSED, deriveBreakerState } from './breaker.ts';
import * as store from './breaker-store.ts';
import type { LlmProvider } from './types.ts';

/** Longer than any call can take: a probe whose worker died is given to the next caller. */
const PROBE_MS = 120_000;

export type BreakersDeps = Pick<ServiceDeps, 'db' | 'now'>;

/** The permission of a call; returned when the call ends. */
export interface BreakerPermit {
  org_id: string;
  provider: LlmProvider;
  probe: boolean;
}

/**
 * The circuit breakers of organizations' own accounts. They are stored in the database, so all instances share them.
 */
export function createBreakers({ db, now }: BreakersDeps) {
  /** Whole seconds until the account can be called; undefined if it can be called now. */
  async function secondsOpen(read: Db, org_id: string, provider: LlmProvider): Promise<number | undefined> {
    const breaker_state = deriveBreakerState((await store.findBreaker(read, org_id, provider)) ?? CLOSED, now());
    return breaker_state.state === 'open' ? breaker_state.retry_after : undefined;
  }

  /** Permits a call; a half-open breaker permits one. Undefined if the account must not be called. */
  async function acquire(org_id: string, provider: LlmProvider): Promise<BreakerPermit | undefined> {
    const breaker = await db.readInOrg(org_id, (read) => store.findBreaker(read, org_id, provider));
    const { state } = deriveBreakerState(breaker ?? CLOSED, now());
    if (state === 'closed') return { org_id, provider, probe: false };
    if (state === 'open') return undefined;
    const until = new Date(now().getTime() + PROBE_MS);
    const taken = await db.inOrg(org_id, (trx) => store.takeProbe(trx, org_id, provider, { now: now(), until }));
    return taken ? { org_id, provider, probe: true } : undefined;
  }

  async function recordSuccess({ org_id, provider }: BreakerPermit): Promise<void> {
    await db.inOrg(org_id, (trx) => store.deleteBreakers(trx, org_id, provider));
  }

  async function recordFailure({ org_id, provider, probe }: BreakerPermit): Promise<void> {
    await db.inOrg(org_id, async (trx) => {
      const breaker = await store.lockBreaker(trx, org_id, provider);
      await store.setBreaker(trx, org_id, provider, afterFailure(breaker, { now: now(), probe }));
    });
  }

  /** The call says nothing about the account. */
  async function abandon({ org_id, provider, probe }: BreakerPermit): Promise<void> {
    if (probe) await db.inOrg(org_id, (trx) => store.endProbe(trx, org_id, provider));
  }

  return {
    secondsOpen,
    acquire,
    recordSuccess,
    recordFailure,
    abandon,
  };
}

export type Breakers = ReturnType<typeof createBreakers>;

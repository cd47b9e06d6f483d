import type { Db, OrgDatabase } from '../../db/index.ts';
import { afterFailure, CLOSED, deriveBreakerState } from './breaker.ts';
import * as store from './breaker-store.ts';
import type { LlmProvider } from './types.ts';

/** Longer than any call may take: a probe whose worker died is given to the next. */
const PROBE_MS = 120_000;

export interface BreakersDeps {
  db: OrgDatabase;
  now: () => Date;
}

/** What a caller was let through as; handed back with the end of the call. */
export interface BreakerPermit {
  org_id: string;
  provider: LlmProvider;
  probe: boolean;
}

/** The circuit breakers of orgs' own accounts. They stand in the database, so every instance sees the same one. */
export function createBreakers({ db, now }: BreakersDeps) {
  /** Whole seconds for which the account is left alone; undefined while it may be asked. */
  async function secondsOpen(read: Db, org_id: string, provider: LlmProvider): Promise<number | undefined> {
    const breaker_state = deriveBreakerState((await store.findBreaker(read, org_id, provider)) ?? CLOSED, now());
    return breaker_state.state === 'open' ? breaker_state.retry_after : undefined;
  }

  /** Lets a call through, after an opening one alone; undefined when it has to stay away. */
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

  /** The call tells nothing about the account. */
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

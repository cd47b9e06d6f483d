import { retryAfterUntil } from '../../lib/retry-after.ts';

/** When calls to a failing account are paused, and for how long. */
export interface Breaker {
  /** Recent failures without a success in between, oldest first. */
  failed_at: Date[];
  /** null: closed. In the past: one probe is permitted. */
  open_until: Date | null;
  /** Duration of the last pause. */
  open_ms: number | null;
  /** Deadline of the running probe. */
  probe_until: Date | null;
}

export const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 10 * 60_000;
const FIRST_OPEN_MS = 5 * 60_000;
const LONGEST_OPEN_MS = 60 * 60_000;

export const CLOSED: Breaker = { failed_at: [], open_until: null, open_ms: null, probe_until: null };

export type BreakerState = { state: 'closed' } | { state: 'half_open' } | { state: 'open'; retry_after: number };

/** State of the breaker. `retry_after`: whole seconds, at least 1. */
export function deriveBreakerState({ open_until, probe_until }: Breaker, now: Date): BreakerState {
  if (open_until === null) return { state: 'closed' };
  const until = probe_until !== null && probe_until > open_until ? probe_until : open_until;
  if (until <= now) return { state: 'half_open' };
  return { state: 'open', retry_after: retryAfterUntil(until, now) };
}

/**
 * The breaker after a failure. The fifth failure within ten minutes opens it for five minutes; a failed probe opens it
 * for twice as long as before, up to an hour. A failure of a call that began before it opened changes nothing.
 */
export function afterFailure(breaker: Breaker, { now, probe }: { now: Date; probe: boolean }): Breaker {
  if (breaker.open_until !== null) return probe ? opened(now, Math.min(2 * openMs(breaker), LONGEST_OPEN_MS)) : breaker;
  const since = now.getTime() - FAILURE_WINDOW_MS;
  const failed_at = [...breaker.failed_at.filter((at) => at.getTime() > since), now];
  return failed_at.length < FAILURES_TO_OPEN ? { ...CLOSED, failed_at } : opened(now, FIRST_OPEN_MS);
}

function openMs({ open_ms }: Breaker): number {
  return open_ms ?? FIRST_OPEN_MS;
}

function opened(now: Date, open_ms: number): Breaker {
  return { failed_at: [], open_until: new Date(now.getTime() + open_ms), open_ms, probe_until: null };
}

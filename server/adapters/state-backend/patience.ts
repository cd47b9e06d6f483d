import { setTimeout as delay } from 'node:timers/promises';
import { StateBackendError } from './types.ts';

const MAX_ATTEMPTS = 6;
const FIRST_WAIT_S = 1;
/** Whoever lists waits for the whole listing, so a longer wait is left to them. */
const MAX_WAIT_S = 20;

export interface PatienceOptions {
  signal: AbortSignal;
  wait?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/**
 * Asks for one page of a listing. A page that the backend throttles is asked for again after the time that the backend
 * names, or after growing pauses, so that the pages before it are not lost.
 *
 * @throws StateBackendError of the sixth attempt, or at once if the backend asks for more than 20 seconds; other errors
 *   at once; the reason of the signal
 */
export async function askPatiently<T>(ask: () => Promise<T>, { signal, wait = sleep }: PatienceOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StateBackendError) || error.reason !== 'throttled') throw error;
      const wait_s = error.retry_after_s ?? FIRST_WAIT_S * 2 ** (attempt - 1);
      if (attempt === MAX_ATTEMPTS || wait_s > MAX_WAIT_S) throw error;
      await wait(wait_s * 1_000, signal);
    }
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

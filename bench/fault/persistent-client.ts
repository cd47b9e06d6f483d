import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The outcome of one request. */
export interface Outcome {
  /** The first response that does not ask for a retry; undefined if there was none in time. */
  answer: { status: number; body: Record<string, unknown> } | undefined;
  tries: number;
  /** Number of retries by reason. */
  reasons: Map<string, number>;
  /** Whether the response is a replay: an earlier attempt was cut off after its work was committed. */
  replayed_after_cut: boolean;
}

const TOTAL_TIMEOUT_MS = 60_000;
const REQUEST_MS = 20_000;
/** Wait before a retry, unless the response names one. */
const PAUSE_MS = 50;

/** Sends a POST with an idempotency key to random instances, until one of them answers. */
export async function sendUntilAnswered(
  urls: readonly string[],
  token: string,
  { path, body }: { path: string; body: unknown },
): Promise<Outcome> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const give_up_at = Date.now() + TOTAL_TIMEOUT_MS;
  const reasons = new Map<string, number>();
  const countReason = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  let tries = 0;
  let was_cut = false;
  while (Date.now() < give_up_at) {
    tries += 1;
    const url = urls[Math.floor(Math.random() * urls.length)] + path;
    try {
      const signal = AbortSignal.timeout(REQUEST_MS);
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
      const answer = { status: response.status, body: (await response.json()) as Record<string, unknown> };
      const replayed = response.headers.get('idempotency-replayed') === 'true';
      if (!isTransient(answer)) return { answer, tries, reasons, replayed_after_cut: was_cut && replayed };
      countReason(`${answer.status} ${answer.body['error_class']}`);
      await wait(1_000 * Number(response.headers.get('retry-after') ?? 0) || PAUSE_MS);
    } catch (error) {
      countReason(String((error as Error).cause ?? error));
      was_cut = true;
      await wait(PAUSE_MS);
    }
  }
  return { answer: undefined, tries, reasons, replayed_after_cut: false };
}

function isTransient({ status, body }: { status: number; body: Record<string, unknown> }): boolean {
  return status >= 500 || body['error_class'] === 'idempotency_in_progress';
}

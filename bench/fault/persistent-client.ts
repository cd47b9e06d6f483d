import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** What became of one request. */
export interface Outcome {
  /** The first answer that was no call to come again; undefined when none came in time. */
  answer: { status: number; body: Record<string, unknown> } | undefined;
  tries: number;
  /** Why it was tried again, and how often. */
  reasons: Map<string, number>;
  /** An earlier try was cut off after its work was committed: the answer is a replay. */
  replayed_after_cut: boolean;
}

const TOTAL_TIMEOUT_MS = 60_000;
const REQUEST_MS = 20_000;
/** How long to wait before the next try, unless the answer says so. */
const PAUSE_MS = 50;

/** Sends a POST with a key of its own, to any of the instances, again and again until it is answered. */
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

import { Conflict, Unprocessable } from '../lib/errors.ts';
import type { Logger } from '../log.ts';
import type { Admitted, Answer } from './exchange.ts';
import type { Attempt, IdempotencyStore, StoredAnswer } from './ports.ts';

const RETRY_AFTER_S = 1;

/** The key of this attempt; undefined when none was sent or the operation takes none. */
export function idempotencyKey({ req, operation }: Pick<Admitted, 'req' | 'operation'>): string | undefined {
  const key = req.headers['idempotency-key'];
  return operation.idempotent && typeof key === 'string' ? key : undefined;
}

/**
 * Runs an attempt once. Another with the same key and body gets the first answer again; answers that call for another
 * try (5xx, 429) are not kept.
 *
 * @param lasting the answer as it may be kept
 * @throws Unprocessable `idempotency_key_reused`, Conflict `idempotency_in_progress`
 */
export async function once(
  store: IdempotencyStore,
  attempt: Attempt,
  log: Logger,
  perform: () => Promise<Answer>,
  lasting: (answer: Answer) => Answer = (answer) => answer,
): Promise<Answer> {
  const claim = await store.claim(attempt);
  if (claim.state === 'other_body') {
    throw new Unprocessable('this Idempotency-Key was used with another body', 'idempotency_key_reused');
  }
  if (claim.state === 'running') {
    throw new Conflict('the first request with this Idempotency-Key is still running', 'idempotency_in_progress', {
      retry_after: RETRY_AFTER_S,
    });
  }
  if (claim.state === 'replay') return replay(claim.answer);

  const answer = await perform();
  try {
    if (isFinal(answer.status)) await store.keep(claim.id, stored(lasting(answer)));
    else await store.release(claim.id);
  } catch (err) {
    // What was done is done: the caller learns of it, and only a repetition is at a loss until the lock runs out.
    log.error({ err, path: attempt.path }, 'idempotency answer not kept');
  }
  return answer;
}

function stored(answer: Answer): StoredAnswer {
  return { ...answer, body: answer.body ?? '' };
}

function isFinal(status: number): boolean {
  return status < 500 && status !== 429;
}

function replay({ status, headers, body }: StoredAnswer): Answer {
  return { status, headers: { ...headers, 'Idempotency-Replayed': 'true' }, body };
}

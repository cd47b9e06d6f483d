import type { Db, Keep } from '../../db/index.ts';
import { Conflict, Unprocessable } from '../../lib/errors.ts';
import type { Logger } from '../../log.ts';
import type { Attempt, IdempotencyStore, StoredAnswer } from '../ports.ts';
import type { AnyReply } from '../reply/reply.ts';
import type { Admitted, Answer } from './exchange.ts';

const RETRY_AFTER_S = 1;

/** The key of this request; undefined if none was sent or the operation does not accept one. */
export function idempotencyKey({ req, operation }: Pick<Admitted, 'req' | 'operation'>): string | undefined {
  const key = req.headers['idempotency-key'];
  return operation.idempotent && typeof key === 'string' ? key : undefined;
}

/** Stores a response in the transaction of its work. */
export type KeepAnswer = (trx: Db, answer: Answer) => Promise<void>;

/**
 * Runs a request once. A repetition with the same key and body gets the first response; responses that ask for a retry
 * (5xx, 429) are not stored.
 *
 * @param perform stores a success itself, with the function it receives; never rejects
 * @throws Unprocessable `idempotency_key_reused`, Conflict `idempotency_in_progress`
 * @see docs/adr/0026-an-answer-is-committed-with-its-work.md
 */
export async function once(
  store: IdempotencyStore,
  attempt: Attempt,
  log: Logger,
  perform: (keep: KeepAnswer) => Promise<Answer>,
): Promise<Answer> {
  const claim = await store.claim(attempt);
  if (claim.state === 'other_body') {
    throw new Unprocessable('this Idempotency-Key was used with a different body', 'idempotency_key_reused');
  }
  if (claim.state === 'running') throw inProgress('the first request with this Idempotency-Key is still running');
  if (claim.state === 'replay') return replay(claim.answer);

  const { id } = claim;
  const stopRenewing = keepRenewing(store, id, log);
  const answer = await perform(async (trx, kept) => {
    if (await store.keep(trx, id, toStored(kept))) return;
    throw inProgress('a repeated request with this Idempotency-Key took over; this one did nothing');
  });
  stopRenewing();
  try {
    await settleFailure(store, id, answer);
  } catch (err) {
    // Nothing was done, so nothing is lost: a retry takes over the key after the claim has expired.
    log.error({ err, path: attempt.path }, 'idempotency key not settled');
  }
  return answer;
}

/**
 * `once` of a request: replies with the stored response of the work.
 *
 * @param keepReply stores the reply in the transaction
 */
export function replyOnce(keepReply: (trx: Db, reply: AnyReply) => Promise<void>) {
  return async <Result>(toReply: (result: Result) => AnyReply, work: (keep: Keep<Result>) => Promise<unknown>) => {
    let kept: AnyReply | undefined;
    await work(async (trx, result) => {
      if (trx.isTransaction !== true) throw new Error('a response must be stored in the transaction of its work');
      const reply = toReply(result);
      await keepReply(trx, reply);
      kept = reply;
    });
    if (kept === undefined) throw new Error('the work ended without storing its response');
    return kept;
  };
}

/**
 * Renews the claim until the returned function is called. If that fails and the claim is lost, the work cannot commit.
 */
function keepRenewing(store: IdempotencyStore, id: string, log: Logger): () => void {
  let stopped = false;
  let timer = setTimeout(renew, store.renew_every_ms);

  async function renew(): Promise<void> {
    await store.renew(id).catch((err: unknown) => log.warn({ err }, 'idempotency key not renewed'));
    // Starts after the previous one has ended, so that a slow database does not get more and more requests.
    if (!stopped) timer = setTimeout(renew, store.renew_every_ms);
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** A success was stored in its transaction; other responses are stored here. */
async function settleFailure(store: IdempotencyStore, id: string, answer: Answer): Promise<void> {
  if (answer.status < 400) return;
  if (isFinal(answer.status)) await store.keepRefusal(id, toStored(answer));
  else await store.release(id);
}

function inProgress(message: string): Conflict {
  return new Conflict(message, 'idempotency_in_progress', { retry_after: RETRY_AFTER_S });
}

function toStored(answer: Answer): StoredAnswer {
  return { ...answer, body: answer.body ?? '' };
}

function isFinal(status: number): boolean {
  return status < 500 && status !== 429;
}

function replay({ status, headers, body }: StoredAnswer): Answer {
  return { status, headers: { ...headers, 'Idempotency-Replayed': 'true' }, body };
}

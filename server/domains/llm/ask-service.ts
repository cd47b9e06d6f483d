import { setTimeout as wait } from 'node:timers/promises';
import type { BreakerPermit, Breakers } from './breaker-service.ts';
import { describeError, isAccountFault, isTransient, NO_MODEL, toSkipReason, waitBefore } from './call.ts';
import type { LlmConfigs } from './config-service.ts';
import {
  type LlmAnswer,
  type LlmCall,
  type LlmCallRequest,
  type LlmClient,
  type LlmConfig,
  LlmError,
  type LlmOutcome,
  type LlmRequest,
  type OpenLlmClient,
} from './types.ts';

/** One question, with all attempts and waits. */
const CALL_MS = 90_000;
const RETRIES = 2;

export interface AskDeps {
  configs: Pick<LlmConfigs, 'open'>;
  breakers: Pick<Breakers, 'acquire' | 'recordSuccess' | 'recordFailure' | 'abandon'>;
  openClient: OpenLlmClient;
  /** Resolves after this number of milliseconds, or rejects when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds of a monotonic clock. */
  clock?: () => number;
}

type Ended = { answer: LlmAnswer; call: LlmCall } | { error: LlmError; call: LlmCall };

/** The only way to call a language model. */
export function createAsk({ configs, breakers, openClient, sleep = pause, clock = monotonic }: AskDeps) {
  /**
   * Calls the organization's own model, or else that of the platform; never one as a replacement for the other. Makes
   * up to three attempts within ninety seconds. The response is not validated.
   *
   * @throws LlmError `cancelled` when the caller's signal aborts
   */
  async function ask({ org_id, request, signal }: LlmCallRequest): Promise<LlmOutcome> {
    const opened = await configs.open(org_id);
    if (opened.kind === 'none') return { fallback: NO_MODEL, call: null };
    if (opened.kind === 'unreadable') return { skipped: opened.skip_reason, call: null };
    if (opened.kind === 'byok') return askOwn(org_id, opened.config, request, signal);

    const ended = await run(opened.config, request, { signal, retries: RETRIES });
    if ('answer' in ended) return { ...ended, billed_to: 'platform' };
    if (ended.error.error_class === 'cancelled') throw ended.error;
    return { fallback: describeError(ended.error), call: ended.call };
  }

  async function askOwn(
    org_id: string,
    config: LlmConfig,
    request: LlmRequest,
    signal: AbortSignal,
  ): Promise<LlmOutcome> {
    const permit = await breakers.acquire(org_id, config.provider);
    if (permit === undefined) return { skipped: 'byok_rate_limited', call: null };
    const ended = await run(config, request, { signal, retries: permit.probe ? 0 : RETRIES });
    await reportOutcome(permit, ended);
    if ('answer' in ended) return { ...ended, billed_to: 'org' };
    const { error, call } = ended;
    if (error.error_class === 'cancelled') throw error;
    const skipped = toSkipReason(error);
    return skipped === undefined ? { fallback: describeError(error), call } : { skipped, call };
  }

  async function reportOutcome(permit: BreakerPermit, ended: Ended): Promise<void> {
    if ('answer' in ended || ended.error.error_class === 'refused') return breakers.recordSuccess(permit);
    return isAccountFault(ended.error) ? breakers.recordFailure(permit) : breakers.abandon(permit);
  }

  async function run(
    config: LlmConfig,
    request: LlmRequest,
    { signal, retries }: { signal: AbortSignal; retries: number },
  ): Promise<Ended> {
    const started = clock();
    const budget = AbortSignal.timeout(CALL_MS);
    const ends = AbortSignal.any([signal, budget]);
    const timeLeft = () => CALL_MS - (clock() - started);
    let model = config.provider as string;
    for (let tries = 1; ; tries += 1) {
      const call = (error_class: LlmCall['error_class'], answer?: LlmAnswer): LlmCall => ({
        model: answer?.model ?? model,
        input_tokens: answer?.input_tokens ?? null,
        output_tokens: answer?.output_tokens ?? null,
        latency_ms: Math.round(clock() - started),
        tries,
        error_class,
      });
      try {
        const client: LlmClient = await openClient(config);
        model = client.model;
        const answer = await client.ask(request, ends);
        return { answer, call: call(null, answer) };
      } catch (thrown) {
        const error = asLlmError(thrown, signal, budget);
        const pause_ms = waitBefore(error, tries, Math.random());
        if (tries > retries || !isTransient(error) || pause_ms >= timeLeft())
          return { error, call: call(error.error_class) };
        await sleep(pause_ms, ends).catch(() => undefined);
      }
    }
  }

  return { ask };
}

/** @throws errors that do not come from a provider, which are bugs */
function asLlmError(thrown: unknown, signal: AbortSignal, budget: AbortSignal): LlmError {
  if (signal.aborted) return new LlmError('cancelled', 'the call was canceled');
  if (!(thrown instanceof LlmError)) throw thrown;
  if (thrown.error_class !== 'cancelled' || !budget.aborted) return thrown;
  return new LlmError('timeout', `the model did not respond within ${CALL_MS / 1000} s`);
}

function pause(ms: number, signal: AbortSignal): Promise<unknown> {
  return wait(ms, undefined, { signal });
}

function monotonic(): number {
  return performance.now();
}

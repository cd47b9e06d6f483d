import type { Prompt, SendValues } from '../../../engine/explain/index.ts';
import type { Logger } from '../../log.ts';
import type { Llm, LlmCall, LlmOutcome, SkipReason } from '../llm/index.ts';
import type { Orgs } from '../orgs/index.ts';
import type { NewTrace, TraceWriter } from '../traces/index.ts';

/** Number of calls until a usable response. */
const MAX_CALLS = 2;
const MAX_OUTPUT_TOKENS = 3_000;

export interface TracedModelCallsDeps {
  llm: Pick<Llm, 'ask' | 'configs'>;
  orgs: Pick<Orgs, 'getSettings'>;
  traces: TraceWriter;
  log: Pick<Logger, 'warn'>;
}

/** The usable part of a response, and its entry in the trace. */
export interface UsedAnswer {
  parsed: unknown;
}

export interface ModelCallRequest<T extends UsedAnswer> {
  org_id: string;
  scan_run_id: string | null;
  kind: NewTrace['kind'];
  prompt: Prompt;
  /** Parses the text of a response. */
  read(answer: string): Promise<T | { unusable: string }>;
  /** Maximum number of calls until a response is usable; two by default. */
  max_calls?: number;
}

/**
 * Outcome of a question, and the traces of its calls, oldest first. `is_billed`: the platform's model answered.
 * `model`: the model that answered. `skipped`: the organization's own account failed. `unusable`: no response could be
 * used. `fallback`: why there is no answer.
 */
export type ModelReply<T extends UsedAnswer> = { trace_ids: string[] } & (
  | { used: T; is_billed: boolean; model: string }
  | { skipped: SkipReason }
  | { fallback: string }
  | { unusable: string }
);

/** Calls an organization's model, at most twice, and records a trace of each call. */
export function createTracedModelCalls({ llm, orgs, traces, log }: TracedModelCallsDeps) {
  /** Which plan values a model may be shown; null if there is no model. */
  async function sendValues(orgId: string): Promise<SendValues | null> {
    const { kind } = await llm.configs.open(orgId);
    if (kind === 'none') return null;
    return (await orgs.getSettings(orgId)).send_values_to_llm;
  }

  /** @throws LlmError `cancelled` when the signal aborts; no other error of a model or a trace */
  async function ask<T extends UsedAnswer>(
    call_request: ModelCallRequest<T>,
    signal: AbortSignal,
  ): Promise<ModelReply<T>> {
    const { system, user, schema } = call_request.prompt;
    const request = { system, user, schema, max_output_tokens: MAX_OUTPUT_TOKENS };
    const trace_ids: string[] = [];
    for (let calls = 1; ; calls += 1) {
      const outcome = await llm.ask({ org_id: call_request.org_id, request, signal });
      const read = 'answer' in outcome ? await call_request.read(outcome.answer.text) : null;
      await addTrace(trace_ids, call_request, outcome, read);
      if ('skipped' in outcome) return { skipped: outcome.skipped, trace_ids };
      if ('fallback' in outcome) return { fallback: outcome.fallback, trace_ids };
      if (read !== null && 'parsed' in read) {
        return { used: read, is_billed: outcome.billed_to === 'platform', model: outcome.answer.model, trace_ids };
      }
      if (calls >= (call_request.max_calls ?? MAX_CALLS)) return { unusable: read?.unusable ?? '', trace_ids };
    }
  }

  async function addTrace(
    trace_ids: string[],
    { org_id, scan_run_id, kind, prompt }: ModelCallRequest<UsedAnswer>,
    outcome: LlmOutcome,
    read: UsedAnswer | { unusable: string } | null,
  ): Promise<void> {
    if (outcome.call === null) return;
    const used = read !== null && 'parsed' in read;
    try {
      const id = await traces.record({
        org_id,
        scan_run_id,
        kind,
        ...callFields(outcome.call),
        cached: false,
        fallback: !used,
        prompt_version: prompt.prompt_version,
        error: findError(outcome, read),
        body: {
          system_prompt: prompt.system,
          user_prompt: prompt.user,
          raw_response: 'answer' in outcome ? outcome.answer.text : null,
          parsed: used ? read.parsed : null,
          inputs: prompt.inputs,
        },
      });
      trace_ids.push(id);
    } catch (error) {
      log.warn({ err: error, org_id, scan_run_id, kind }, 'trace of a model call not written');
    }
  }

  return { sendValues, ask };
}

export type TracedModelCalls = ReturnType<typeof createTracedModelCalls>;

function callFields({ model, input_tokens, output_tokens, latency_ms }: LlmCall) {
  return { model, input_tokens, output_tokens, latency_ms };
}

function findError(outcome: LlmOutcome, read: UsedAnswer | { unusable: string } | null): string | null {
  if ('fallback' in outcome) return outcome.fallback;
  if ('skipped' in outcome) return outcome.skipped;
  return read !== null && 'unusable' in read ? read.unusable : null;
}

import type { Handlers } from '../../contract/operation.ts';
import { Gone } from '../../lib/errors.ts';
import type { TraceState, Traces } from './service.ts';
import type { Trace } from './types.ts';

/** Storing the bodies takes a short time; clients poll at the same rate as for jobs. */
const POLL_AFTER_S = '5';

export function traceRoutes(traces: Traces): Pick<Handlers, 'listScanTraces' | 'getTrace'> {
  return {
    async listScanTraces({ org, path }) {
      const found = await traces.listByScan(org.id, path.scan_id);
      return { status: 200, body: found.map(traceSummary) };
    },

    async getTrace({ principal, org, path }) {
      const state = await traces.get(org.id, path.trace_id);
      const { id, kind, created_at } = state.trace;
      if (state.status === 'expired') {
        const message = 'the bodies of this trace were deleted 30 days after the call';
        throw new Gone(message, 'trace_expired', { body: { trace: traceSummary(state.trace) } });
      }
      if (state.status === 'pending') {
        const body = { id, kind, status: state.status, created_at: created_at.toISOString() };
        return { status: 202, body, headers: { 'Retry-After': POLL_AFTER_S } };
      }
      return { status: 200, body: traceRecord(state, principal.user.is_platform_admin) };
    },
  };
}

function traceSummary(trace: Trace) {
  return {
    id: trace.id,
    kind: trace.kind,
    model: trace.model,
    input_tokens: trace.input_tokens,
    output_tokens: trace.output_tokens,
    latency_ms: trace.latency_ms,
    cached: trace.cached,
    fallback: trace.fallback,
    created_at: trace.created_at.toISOString(),
  };
}

/** Prompts and the raw response are only for platform admins; others do not get these fields. */
function traceRecord({ trace, body, status }: Extract<TraceState, { body: unknown }>, is_platform_admin: boolean) {
  return {
    ...traceSummary(trace),
    status,
    prompt_version: trace.prompt_version,
    org_id: trace.org_id,
    scan_run_id: trace.scan_run_id,
    inputs: trace.inputs,
    parsed: body?.parsed ?? null,
    error: trace.error,
    ...(is_platform_admin
      ? {
          system_prompt: body?.system_prompt ?? null,
          user_prompt: body?.user_prompt ?? null,
          raw_response: body?.raw_response ?? null,
        }
      : {}),
  };
}

import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
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
      if (state.status === 'expired') {
        const message = 'the bodies of this trace were deleted 30 days after the call';
        throw new Gone(message, 'trace_expired', { body: { trace: traceSummary(state.trace) } });
      }
      if (state.status === 'pending') {
        const body = { ...pickFields(state.trace, ['id', 'kind', 'created_at']), status: state.status };
        return { status: 202, body, headers: { 'Retry-After': POLL_AFTER_S } };
      }
      return { status: 200, body: traceRecord(state, principal.user.is_platform_admin) };
    },
  };
}

function traceSummary(trace: Trace) {
  return pickFields(trace, [
    'id',
    'kind',
    'model',
    'input_tokens',
    'output_tokens',
    'latency_ms',
    'cached',
    'fallback',
    'created_at',
  ]);
}

/** Prompts and the raw response are only for platform admins; others do not get these fields. */
function traceRecord({ trace, body, status }: Extract<TraceState, { body: unknown }>, is_platform_admin: boolean) {
  return {
    ...traceSummary(trace),
    ...pickFields(trace, ['prompt_version', 'org_id', 'scan_run_id', 'inputs', 'error']),
    status,
    parsed: body?.parsed ?? null,
    ...(is_platform_admin
      ? {
          system_prompt: body?.system_prompt ?? null,
          user_prompt: body?.user_prompt ?? null,
          raw_response: body?.raw_response ?? null,
        }
      : {}),
  };
}

import { scrubText } from '../../../engine/index.ts';
import type { NewTrace, TraceBody } from './types.ts';

const MAX_ERROR = 2_000;
const MAX_NAME = 300;
const MAX_INTEGER = 2_147_483_647;

/**
 * Removes known forms of secrets from all texts of a trace, and everything that the database would reject. Prompts
 * contain no secrets anyway, but the texts of providers and models are not under this service's control.
 */
export function cleanTrace(trace: NewTrace): NewTrace {
  const { body, model, error, kind } = trace;
  return {
    ...trace,
    model: model === null ? null : storable(scrubText(model)).slice(0, MAX_NAME),
    error: error === null ? null : storable(scrubText(error)).slice(0, MAX_ERROR),
    prompt_version: storable(trace.prompt_version).slice(0, MAX_NAME),
    input_tokens: count(trace.input_tokens),
    output_tokens: count(trace.output_tokens),
    latency_ms: count(Math.round(trace.latency_ms)) ?? 0,
    cached: trace.cached && kind === 'classify',
    body: cleanBody(body),
  };
}

function cleanBody({ system_prompt, user_prompt, raw_response, parsed, inputs }: TraceBody): TraceBody {
  return {
    system_prompt: scrubText(system_prompt),
    user_prompt: scrubText(user_prompt),
    raw_response: raw_response === null ? null : scrubText(raw_response),
    parsed: scrubValue(parsed),
    inputs,
  };
}

/** The JSON form of a value, with all texts and names scrubbed; null for values without a JSON form. */
export function scrubValue(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member) => {
    if (typeof member === 'string') return scrubText(member);
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [scrubText(name), inner]));
  });
  return text === undefined ? null : JSON.parse(text);
}

/** PostgreSQL cannot store NUL and unpaired surrogates. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}

/** A provider's value that is not a valid count becomes unknown. */
function count(value: number | null): number | null {
  if (value === null || !Number.isSafeInteger(value) || value < 0) return null;
  return Math.min(value, MAX_INTEGER);
}

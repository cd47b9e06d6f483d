import { scrubText } from '../../../engine/index.ts';
import type { NewTrace, TraceBody } from './types.ts';

const MAX_ERROR = 2_000;
const MAX_NAME = 300;
const MAX_INTEGER = 2_147_483_647;

/**
 * A trace as it may be kept: no known form of a secret in any text, and nothing that the database would refuse. The prompts
 * hold no secret to begin with; what providers and models say is not in our hands.
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

/** What JSON makes of a value, every text and name in it scrubbed; null for what JSON has no word for. */
export function scrubValue(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member) => {
    if (typeof member === 'string') return scrubText(member);
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [scrubText(name), inner]));
  });
  return text === undefined ? null : JSON.parse(text);
}

/** PostgreSQL keeps no NUL and no half of a character. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}

/** A provider may say anything; what is no count is not known. */
function count(value: number | null): number | null {
  if (value === null || !Number.isSafeInteger(value) || value < 0) return null;
  return Math.min(value, MAX_INTEGER);
}

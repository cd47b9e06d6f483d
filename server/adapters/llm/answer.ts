import type { LlmAnswer } from '../../domains/llm/types.ts';
import { refusal } from './faults.ts';
import type { RawAnswer } from './provider.ts';

export const MAX_ANSWER_BYTES = 262_144;
const MODEL_NAME = /^[\w.:/@-]{1,200}$/;

/**
 * Extracts the answer from a provider's response and validates every part of it.
 *
 * @param requested_model the model that was called, for responses that do not name one
 * @throws LlmError `refused` if there is no text, or too much
 */
export function toLlmAnswer(
  { text, model, input_tokens, output_tokens }: RawAnswer,
  requested_model: string,
): LlmAnswer {
  if (typeof text !== 'string' || text === '') throw refusal('malformed');
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw refusal('too_long');
  return {
    text,
    model: typeof model === 'string' && MODEL_NAME.test(model) ? model : requested_model,
    input_tokens: toCount(input_tokens),
    output_tokens: toCount(output_tokens),
  };
}

function toCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

import type { LlmRequest } from '../../domains/llm/types.ts';
import type { ModelAccount } from './anthropic.ts';
import { clampWait, refusal } from './faults.ts';
import { type ErrorDetail, type Provider, type RawAnswer, THINKING_TOKENS, type Transport } from './provider.ts';
import { portableSchema } from './schema.ts';

const ENDPOINT = 'https://generativelanguage.googleapis.com';
/** Model generations whose amount of reasoning can be set. */
const HAS_LEVELS = /^gemini-([3-9]|[1-9]\d)(?!\d)/;

/** Calls Google models through the Gemini API. */
export async function openGemini({ api_key, model, endpoint = ENDPOINT }: ModelAccount): Promise<Provider> {
  const { GoogleGenAI, ThinkingLevel } = await import('@google/genai');

  async function ask(transport: Transport, request: LlmRequest): Promise<RawAnswer> {
    const client = new GoogleGenAI({
      apiKey: api_key,
      vertexai: false,
      httpOptions: { baseUrl: endpoint, fetch: transport.fetch },
    });
    const answer = await client.models.generateContent({
      model,
      contents: request.user,
      config: {
        systemInstruction: request.system,
        responseMimeType: 'application/json',
        responseJsonSchema: portableSchema(request.schema.json),
        maxOutputTokens: request.max_output_tokens + THINKING_TOKENS,
        abortSignal: transport.signal,
        ...(HAS_LEVELS.test(model) ? { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW } } : {}),
      },
    });
    if (answer.promptFeedback?.blockReason !== undefined) throw refusal('filtered');
    const [candidate] = answer.candidates ?? [];
    if (candidate === undefined) throw new Error('neither a response nor a reason');
    if (candidate.finishReason === 'MAX_TOKENS') throw refusal('cut');
    if (candidate.finishReason !== 'STOP') throw refusal('filtered');
    const texts = (candidate.content?.parts ?? []).flatMap(({ text, thought }) => (text && !thought ? [text] : []));
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount = 0 } = answer.usageMetadata ?? {};
    return {
      text: texts.join(''),
      model: answer.modelVersion,
      input_tokens: promptTokenCount,
      output_tokens: candidatesTokenCount === undefined ? null : candidatesTokenCount + thoughtsTokenCount,
    };
  }

  return { model, ask, errors: { statuses: [400, 429], read: googleDetail } };
}

/**
 * Gemini answers an invalid key with status 400, and puts the wait into the body.
 *
 * @see google.rpc.ErrorInfo and google.rpc.RetryInfo
 */
function googleDetail(body: unknown): ErrorDetail {
  const { details = [] } = (body as { error: { details?: { reason?: unknown; retryDelay?: unknown }[] } }).error;
  if (details.some(({ reason }) => reason === 'API_KEY_INVALID')) return { error_class: 'auth' };
  const [, seconds] =
    details.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))).find(Boolean) ?? [];
  return seconds === undefined ? {} : { retry_after: clampWait(Number(seconds)) };
}

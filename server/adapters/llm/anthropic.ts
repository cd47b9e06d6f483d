import type { LlmRequest } from '../../domains/llm/types.ts';
import { refusal } from './faults.ts';
import { isThinkingClaude, type Provider, type RawAnswer, THINKING_TOKENS, type Transport } from './provider.ts';
import { portableSchema } from './schema.ts';

const ENDPOINT = 'https://api.anthropic.com';

export interface ModelAccount {
  api_key: string;
  model: string;
  endpoint: string | undefined;
}

/**
 * Calls Claude through the Messages API. The format is set with the output format, because the newest models reject
 * forced tools.
 */
export async function openAnthropic({ api_key, model, endpoint = ENDPOINT }: ModelAccount): Promise<Provider> {
  const { Anthropic } = await import('@anthropic-ai/sdk');

  async function ask(transport: Transport, request: LlmRequest): Promise<RawAnswer> {
    const client = new Anthropic({
      apiKey: api_key,
      webhookKey: null,
      baseURL: endpoint,
      fetch: transport.fetch,
      timeout: transport.timeout_ms,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: { propagation: false, traces: false },
    });
    const format = { type: 'json_schema' as const, schema: portableSchema(request.schema.json) };
    const thinks = isThinkingClaude(model);
    const message = await client.messages.create(
      {
        model,
        max_tokens: request.max_output_tokens + (thinks ? THINKING_TOKENS : 0),
        system: request.system,
        messages: [{ role: 'user', content: request.user }],
        output_config: thinks ? { format, effort: 'low' } : { format },
      },
      { signal: transport.signal },
    );
    if (message.stop_reason === 'refusal') throw refusal('declined');
    if (message.stop_reason === 'max_tokens' || message.stop_reason === 'model_context_window_exceeded') {
      throw refusal('cut');
    }
    const { input_tokens, output_tokens } = message.usage ?? {};
    const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return { text: texts.join(''), model: message.model, input_tokens, output_tokens };
  }

  return { model, ask };
}

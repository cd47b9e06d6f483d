import type { OpenAI } from 'openai';
import { dropTrailing } from '../../../engine/index.ts';
import type { LlmRequest } from '../../domains/llm/types.ts';
import type { GuardedFetch } from '../egress/index.ts';
import type { ModelAccount } from './anthropic.ts';
import { refusal } from './faults.ts';
import { type Provider, type RawAnswer, THINKING_TOKENS, type Transport } from './provider.ts';
import { portableSchema } from './schema.ts';

const ENDPOINT = 'https://api.openai.com/v1';
/** Reasoning models whose effort can be set; `-pro` and `-chat-latest` do not support it. */
const REASONING_MODELS = /^(gpt-5[\w.]*(-mini|-nano|-sol|-terra|-luna)?|o[134](-mini)?)(-\d{4}-\d\d-\d\d)?$/;

export interface AzureAccount {
  api_key: string;
  endpoint: string;
  api_version: string;
  deployment: string;
  /** undefined if the operator set the endpoint. */
  send: GuardedFetch | undefined;
}

/** Calls OpenAI models through chat completions. */
export async function openOpenAi({ api_key, model, endpoint = ENDPOINT }: ModelAccount): Promise<Provider> {
  const sdk = await import('openai');
  const is_reasoning = REASONING_MODELS.test(model);

  async function ask(transport: Transport, request: LlmRequest): Promise<RawAnswer> {
    const client = new sdk.OpenAI({ ...clientOptions(transport), apiKey: api_key, baseURL: endpoint });
    const body = { ...buildParams(request, is_reasoning), model, store: false };
    return complete(client, is_reasoning ? { ...body, reasoning_effort: 'low' } : body, transport.signal);
  }

  return { model, ask };
}

/**
 * OpenAI models in a customer's Azure resource. The deployment names are free, so any of them can be a reasoning model.
 */
export async function openAzureOpenAi(account: AzureAccount): Promise<Provider> {
  const { api_key, endpoint, api_version, deployment, send } = account;
  const sdk = await import('openai');

  async function ask(transport: Transport, request: LlmRequest): Promise<RawAnswer> {
    const client = new sdk.AzureOpenAI({
      ...clientOptions(transport),
      apiKey: api_key,
      apiVersion: api_version,
      deployment,
      // Not `endpoint`, because OPENAI_BASE_URL in the environment overrides that.
      baseURL: `${dropTrailing(endpoint, '/')}/openai`,
    });
    return complete(client, { ...buildParams(request, true), model: deployment }, transport.signal);
  }

  const errors = { statuses: [400], read: azureDetail };
  return { model: deployment, ask, errors, ...(send === undefined ? {} : { send }) };
}

/** Without explicit nulls, the SDK reads values from the environment. */
function clientOptions(transport: Transport) {
  return {
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch: transport.fetch,
    timeout: transport.timeout_ms,
    maxRetries: 0,
    logLevel: 'off' as const,
  };
}

type CompletionParams = OpenAI.ChatCompletionCreateParamsNonStreaming;

function buildParams({ system, user, schema, max_output_tokens }: LlmRequest, is_reasoning: boolean) {
  const { name, description, json } = schema;
  return {
    messages: [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ],
    max_completion_tokens: max_output_tokens + (is_reasoning ? THINKING_TOKENS : 0),
    response_format: {
      type: 'json_schema' as const,
      json_schema: { name, description, strict: true, schema: portableSchema(json) },
    },
  };
}

async function complete(client: OpenAI, params: CompletionParams, signal: AbortSignal): Promise<RawAnswer> {
  const { choices, model, usage } = await client.chat.completions.create(params, { signal });
  const [choice] = choices;
  if (choice?.message.refusal) throw refusal('declined');
  if (choice?.finish_reason === 'length') throw refusal('cut');
  if (choice?.finish_reason === 'content_filter') throw refusal('filtered');
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = usage ?? {};
  return { text: choice?.message.content, model, input_tokens, output_tokens };
}

/** Azure also filters prompts, and reports that with status 400. */
function azureDetail(body: unknown) {
  const { code } = (body as { error?: { code?: unknown } }).error ?? {};
  return code === 'content_filter' ? { error_class: 'refused' as const } : {};
}

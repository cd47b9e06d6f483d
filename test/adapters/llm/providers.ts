/** The wire format of each provider's responses, and checks of its requests, written from the providers' references. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LlmConfig, LlmProvider, LlmRequest } from '../../../server/domains/llm/types.ts';

/** Value of every secret field of every configuration. */
export const CANARY = 'sk-canary-5f1d0c7e9ab24f06';
export const REGION = 'eu-central-1';

export const REQUEST: LlmRequest = {
  system: 'You explain plans.',
  user: 'Explain this one. CANARY-PROMPT',
  schema: {
    name: 'narrative',
    description: 'What will happen',
    json: {
      type: 'object',
      properties: {
        text: { type: 'string', maxLength: 400 },
        notes: { type: 'array', maxItems: 3, items: { type: 'object', properties: { pattern: { const: 'x' } } } },
      },
      required: ['text', 'notes'],
      additionalProperties: false,
    },
  },
  max_output_tokens: 700,
};

/** REQUEST's schema without the keywords that some provider rejects. */
export const SENT_SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    notes: { type: 'array', items: { type: 'object', properties: { pattern: { enum: ['x'] } } } },
  },
  required: ['text', 'notes'],
  additionalProperties: false,
};

export const ANSWER = { text: 'Two servers go “away”.', notes: [] };

export interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Wire {
  config: LlmConfig;
  /** The default model. */
  model: string;
  /** A response with status 200. */
  good: unknown;
  /** Unusable responses with status 200. */
  refused: [title: string, body: unknown][];
  /** undefined, or what is wrong with the request. */
  findFaults(request: RecordedRequest): unknown;
}

const text = JSON.stringify(ANSWER);

function openAi(choice: object, model: string) {
  const first = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text, refusal: null } };
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ ...first, ...choice }],
    usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 },
  };
}

const openAiRefused: Wire['refused'] = [
  ['a refusal', openAi({ message: { role: 'assistant', content: null, refusal: CANARY } }, 'm')],
  ['an answer truncated at the limit', openAi({ finish_reason: 'length' }, 'm')],
  ['a filtered answer', openAi({ finish_reason: 'content_filter' }, 'm')],
  ['no choices', { ...openAi({}, 'm'), choices: [] }],
];

const openAiFormat = {
  type: 'json_schema',
  json_schema: { name: 'narrative', description: 'What will happen', strict: true, schema: SENT_SCHEMA },
};
const openAiMessages = [
  { role: 'system', content: REQUEST.system },
  { role: 'user', content: REQUEST.user },
];

function anthropic(more: object) {
  return {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5-5',
    content: [
      { type: 'thinking', thinking: '', signature: 's' },
      { type: 'text', text },
    ],
    stop_reason: 'end_turn',
    usage: { input_tokens: 12, output_tokens: 34 },
    ...more,
  };
}

function gemini(candidate: object, more: object = {}) {
  const parts = [{ text: 'let me think', thought: true }, { text }];
  return {
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts }, ...candidate }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 30, thoughtsTokenCount: 4, totalTokenCount: 46 },
    modelVersion: 'gemini-3.5-flash',
    ...more,
  };
}

export function bedrock(more: object = {}, content: unknown[] = [{ text }]) {
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: 'end_turn',
    usage: { inputTokens: 12, outputTokens: 34, totalTokens: 46 },
    metrics: { latencyMs: 1 },
    ...more,
  };
}

export const BEDROCK_CONFIG = {
  provider: 'bedrock' as const,
  aws_region: REGION,
  aws_access_key_id: 'AKIDEXAMPLE',
  aws_secret_access_key: CANARY,
};

export const WIRES: Record<LlmProvider, Wire> = {
  anthropic: {
    config: { provider: 'anthropic', api_key: CANARY },
    model: 'claude-sonnet-5-5',
    good: anthropic({}),
    refused: [
      ['a refusal', anthropic({ stop_reason: 'refusal', content: [] })],
      ['an answer truncated at the limit', anthropic({ stop_reason: 'max_tokens' })],
      ['an answer without text', anthropic({ content: [] })],
    ],
    findFaults: ({ method, url, headers, body }) =>
      unlike(
        { method, url, key: headers['x-api-key'] ?? headers.authorization, body: JSON.parse(body) },
        {
          method: 'POST',
          url: '/v1/messages',
          key: headers['x-api-key'] === undefined ? `Bearer ${CANARY}` : CANARY,
          body: {
            model: 'claude-sonnet-5-5',
            max_tokens: 8_700,
            system: REQUEST.system,
            messages: [{ role: 'user', content: REQUEST.user }],
            output_config: { format: { type: 'json_schema', schema: SENT_SCHEMA }, effort: 'low' },
          },
        },
      ),
  },
  openai: {
    config: { provider: 'openai', api_key: CANARY },
    model: 'gpt-5.4-mini',
    good: openAi({}, 'gpt-5.4-mini'),
    refused: openAiRefused,
    findFaults: ({ method, url, headers, body }) =>
      unlike(
        { method, url, key: headers.authorization, body: JSON.parse(body) },
        {
          method: 'POST',
          url: '/chat/completions',
          key: `Bearer ${CANARY}`,
          body: {
            model: 'gpt-5.4-mini',
            messages: openAiMessages,
            max_completion_tokens: 8_700,
            response_format: openAiFormat,
            store: false,
            reasoning_effort: 'low',
          },
        },
      ),
  },
  azure_openai: {
    config: {
      provider: 'azure_openai',
      azure_endpoint: 'https://ours.openai.azure.com/',
      azure_deployment: 'plans',
      azure_api_key: CANARY,
    },
    model: 'plans',
    good: openAi({}, 'gpt-5.4'),
    refused: openAiRefused,
    findFaults: ({ method, url, headers, body }) =>
      unlike(
        { method, url, key: headers['api-key'], body: JSON.parse(body) },
        {
          method: 'POST',
          url: '/openai/deployments/plans/chat/completions?api-version=2024-12-01-preview',
          key: CANARY,
          body: {
            model: 'plans',
            messages: openAiMessages,
            max_completion_tokens: 8_700,
            response_format: openAiFormat,
          },
        },
      ),
  },
  gemini: {
    config: { provider: 'gemini', api_key: CANARY },
    model: 'gemini-3.5-flash',
    good: gemini({}),
    refused: [
      ...['SAFETY', 'RECITATION', 'MAX_TOKENS', 'PROHIBITED_CONTENT', 'OTHER'].map(
        (finishReason): [string, unknown] => [`an end for ${finishReason}`, gemini({ finishReason, content: {} })],
      ),
      ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }],
      ['an answer without text', gemini({ content: { parts: [] } })],
    ],
    findFaults: ({ method, url, headers, body }) =>
      unlike(
        { method, url, key: headers['x-goog-api-key'], body: JSON.parse(body) },
        {
          method: 'POST',
          url: '/v1beta/models/gemini-3.5-flash:generateContent',
          key: CANARY,
          body: {
            contents: [{ role: 'user', parts: [{ text: REQUEST.user }] }],
            systemInstruction: { role: 'user', parts: [{ text: REQUEST.system }] },
            generationConfig: {
              responseMimeType: 'application/json',
              responseJsonSchema: SENT_SCHEMA,
              maxOutputTokens: 8_700,
              thinkingConfig: { thinkingLevel: 'LOW' },
            },
          },
        },
      ),
  },
  bedrock: {
    config: BEDROCK_CONFIG,
    model: 'eu.anthropic.claude-sonnet-5-5',
    good: bedrock(),
    refused: [
      ...['guardrail_intervened', 'max_tokens', 'content_filtered', 'malformed_model_output', 'refusal'].map(
        (stopReason): [string, unknown] => [`an end for ${stopReason}`, bedrock({ stopReason })],
      ),
      ['an answer without text', bedrock({}, [])],
    ],
    findFaults: (request) =>
      unlike(
        {
          method: request.method,
          url: request.url,
          signed: isSigned(request, CANARY, 'bedrock'),
          body: JSON.parse(request.body),
        },
        {
          method: 'POST',
          url: '/model/eu.anthropic.claude-sonnet-5-5/converse',
          signed: true,
          body: {
            system: [{ text: REQUEST.system }],
            messages: [{ role: 'user', content: [{ text: REQUEST.user }] }],
            inferenceConfig: { maxTokens: 8_700 },
            outputConfig: {
              textFormat: {
                type: 'json_schema',
                structure: {
                  jsonSchema: {
                    name: 'narrative',
                    description: 'What will happen',
                    schema: JSON.stringify(SENT_SCHEMA),
                  },
                },
              },
            },
          },
        },
      ),
  },
};

export const PROVIDERS = Object.keys(WIRES) as LlmProvider[];

function unlike(actual: unknown, expected: unknown): unknown {
  return sorted(actual) === sorted(expected) ? undefined : { seen: actual, expected };
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Whether AWS would accept the signature, which is computed again from the request. AWS, Signature Version 4. */
export function isSigned({ method, url, headers, body }: RecordedRequest, secret: string, service: string): boolean {
  const parsed =
    /Credential=[^/]+\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    );
  const [, day = '', region = '', named, signed = '', signature] = parsed ?? [];
  if (named !== service) return false;
  const path = url
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  const canonicalHeaders = signed
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, path, '', canonicalHeaders, signed, sha256(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (one, part) => createHmac('sha256', one).update(part).digest(),
    `AWS4${secret}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}

function sha256(data: string): string {
  return createHash('sha256').update(data).digest('hex');
}

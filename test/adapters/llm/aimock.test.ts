/** The same clients against a third-party provider emulator. */

import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLlmClients, type LlmClients } from '../../../server/adapters/llm/index.ts';
import type { LlmConfig } from '../../../server/domains/llm/types.ts';
import { ANSWER, CANARY, PROVIDERS, REQUEST, WIRES } from './providers.ts';

const mock = new LLMock({ port: 0 });
let clients: LlmClients;
beforeAll(async () => {
  const url = await mock.start();
  clients = createLlmClients({
    settings: {
      default_models: {
        anthropic: 'claude-sonnet-5-5',
        openai: 'gpt-5.4-mini',
        gemini: 'gemini-3.5-flash',
        bedrock: 'anthropic.claude-sonnet-5-5',
      },
      endpoints: { anthropic: url, openai: `${url}/v1`, azure_openai: url, gemini: url, bedrock: url },
      timeout_ms: 5_000,
    },
    egress: () => Promise.reject(new Error('not to be used')),
  });
});
afterAll(() => mock.stop());
beforeEach(() => void mock.reset());

const never = () => new AbortController().signal;

describe.each(PROVIDERS)('%s', (provider) => {
  const { config, model } = WIRES[provider];

  test('the provider returns the requested response', async () => {
    mock.onMessage(/Explain this one/, {
      content: JSON.stringify(ANSWER),
      usage: {
        input_tokens: 5,
        output_tokens: 6,
        prompt_tokens: 5,
        completion_tokens: 6,
        promptTokenCount: 5,
        candidatesTokenCount: 6,
      },
    });

    const answer = await (await clients(config)).ask(REQUEST, never());

    expect(JSON.parse(answer.text)).toEqual(ANSWER);
    expect([answer.input_tokens, answer.output_tokens].every((tokens) => tokens === null || tokens >= 0)).toBe(true);
    expect(answer.model).toContain(provider === 'azure_openai' ? '' : model);
    expect(mock.getRequests()).toHaveLength(1);
  });

  test.each([
    [401, 'auth'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
  ])('an error %i is %s', async (status, error_class) => {
    mock.onMessage(/Explain this one/, { error: { message: CANARY, type: 'some_error' }, status, retryAfter: 3 });

    const error = await (await clients(config)).ask(REQUEST, never()).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ name: 'LlmError', error_class, status, retry_after: status === 429 ? 3 : null });
    expect(String(error)).not.toContain(CANARY);
    expect(mock.getRequests()).toHaveLength(1);
  });
});

test('a Bedrock model that is forced to call a tool calls it', async () => {
  mock.onMessage(/Explain this one/, { toolCalls: [{ name: 'narrative', arguments: JSON.stringify(ANSWER) }] });

  const config = { ...WIRES.bedrock.config, model: 'eu.amazon.nova-pro-v1:0' } as LlmConfig;
  const answer = await (await clients(config)).ask(REQUEST, never());

  expect(JSON.parse(answer.text)).toEqual(ANSWER);
});

/** The model in `LLM_PLATFORM_…`, connected as the service does it. */
import type { Prompt } from '../../engine/explain/index.ts';
import { createGuardedFetch } from '../../server/adapters/egress/index.ts';
import { createLlmClients } from '../../server/adapters/llm/index.ts';
import { loadConfig } from '../../server/config/index.ts';

export type Client = Awaited<ReturnType<ReturnType<typeof createLlmClients>>>;

export interface ModelReply {
  /** null: there is none, and `error` says why. */
  answer: string | null;
  error: string;
  input_tokens: number;
  output_tokens: number;
}

/** Tells how to configure a model. */
export const NO_MODEL =
  'no model is configured: set LLM_PLATFORM_PROVIDER and what its provider needs, as for the service';

const MAX_OUTPUT_TOKENS = 3_000;
const CALL_MS = 90_000;

/**
 * @param env the model is configured in `LLM_PLATFORM_…`, as for the service
 * @returns null if no model is configured
 * @throws ConfigError if the environment is invalid; LlmError `rejected` if no request can be made from it
 */
export async function connectModel(env: Readonly<Record<string, string | undefined>>): Promise<Client | null> {
  const { platform, ...settings } = loadConfig(env).llm;
  return platform === null ? null : createLlmClients({ settings, egress: createGuardedFetch() })(platform);
}

/** One attempt; the service would make two. Never throws. */
export async function askModel(client: Client, { system, user, schema }: Prompt): Promise<ModelReply> {
  const request = { system, user, schema, max_output_tokens: MAX_OUTPUT_TOKENS };
  try {
    const { text, input_tokens, output_tokens } = await client.ask(request, AbortSignal.timeout(CALL_MS));
    return { answer: text, error: '', input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'the call failed';
    return { answer: null, error: why, input_tokens: 0, output_tokens: 0 };
  }
}

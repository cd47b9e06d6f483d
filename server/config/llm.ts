import { z } from 'zod';
import type { LlmConfig, LlmProvider } from '../domains/llm/types.ts';
import { baseUrl, whole } from './values.ts';

const PROVIDERS = ['anthropic', 'openai', 'azure_openai', 'gemini', 'bedrock'] as const satisfies LlmProvider[];

/** Environment variables of language models. */
export const LLM_VARIABLES = {
  LLM_DEFAULT_MODEL_ANTHROPIC: modelName().default('claude-sonnet-5-5'),
  LLM_DEFAULT_MODEL_OPENAI: modelName().default('gpt-5.4-mini'),
  LLM_DEFAULT_MODEL_GEMINI: modelName().default('gemini-3.5-flash'),
  LLM_DEFAULT_MODEL_BEDROCK: modelName().default('anthropic.claude-sonnet-5-5'),
  LLM_ENDPOINT_ANTHROPIC: baseUrl().optional(),
  LLM_ENDPOINT_OPENAI: baseUrl().optional(),
  LLM_ENDPOINT_AZURE_OPENAI: baseUrl().optional(),
  LLM_ENDPOINT_GEMINI: baseUrl().optional(),
  LLM_ENDPOINT_BEDROCK: baseUrl().optional(),
  LLM_ENDPOINT_STS: baseUrl().optional(),
  LLM_TIMEOUT_MS: whole(1_000, 600_000).default(60_000),
  LLM_PLATFORM_PROVIDER: z.enum(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`).optional(),
  LLM_PLATFORM_API_KEY: z.string().optional(),
  LLM_PLATFORM_MODEL: modelName().optional(),
  LLM_PLATFORM_AWS_REGION: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as eu-central-1')
    .optional(),
  LLM_PLATFORM_AWS_ACCESS_KEY_ID: z.string().optional(),
  LLM_PLATFORM_AWS_SECRET_ACCESS_KEY: z.string().optional(),
  LLM_PLATFORM_AZURE_ENDPOINT: z.url({ protocol: /^https$/, error: 'must be an https:// URL' }).optional(),
  LLM_PLATFORM_AZURE_DEPLOYMENT: modelName().optional(),
};

type LlmVariables = z.infer<z.ZodObject<typeof LLM_VARIABLES>>;
type Name = keyof LlmVariables;

const KEY = ['LLM_PLATFORM_API_KEY'] as const satisfies Name[];
/** Variables that the platform's model requires. */
const REQUIRED = {
  anthropic: KEY,
  openai: KEY,
  gemini: KEY,
  azure_openai: [...KEY, 'LLM_PLATFORM_AZURE_ENDPOINT', 'LLM_PLATFORM_AZURE_DEPLOYMENT'],
  bedrock: ['LLM_PLATFORM_AWS_REGION', 'LLM_PLATFORM_AWS_ACCESS_KEY_ID', 'LLM_PLATFORM_AWS_SECRET_ACCESS_KEY'],
} as const satisfies Record<LlmProvider, readonly Name[]>;

/** Problems that no single variable shows; invalid values count as set. */
export function llmContradictions(given: Partial<Record<Name, unknown>>): string[] {
  const provider = PROVIDERS.find((one) => one === given.LLM_PLATFORM_PROVIDER);
  if (provider !== undefined) {
    return REQUIRED[provider]
      .filter((name) => given[name] === undefined)
      .map((name) => `${name} is required when LLM_PLATFORM_PROVIDER=${provider}`);
  }
  if (given.LLM_PLATFORM_PROVIDER !== undefined) return [];
  const stray = Object.keys(LLM_VARIABLES).filter(
    (name) => name.startsWith('LLM_PLATFORM_') && given[name as Name] !== undefined,
  );
  return stray.map((name) => `${name} also needs LLM_PLATFORM_PROVIDER`);
}

export function llmSettings(given: LlmVariables) {
  return {
    default_models: {
      anthropic: given.LLM_DEFAULT_MODEL_ANTHROPIC,
      openai: given.LLM_DEFAULT_MODEL_OPENAI,
      gemini: given.LLM_DEFAULT_MODEL_GEMINI,
      bedrock: given.LLM_DEFAULT_MODEL_BEDROCK,
    },
    /** undefined = the vendor's own. */
    endpoints: {
      anthropic: given.LLM_ENDPOINT_ANTHROPIC,
      openai: given.LLM_ENDPOINT_OPENAI,
      azure_openai: given.LLM_ENDPOINT_AZURE_OPENAI,
      gemini: given.LLM_ENDPOINT_GEMINI,
      bedrock: given.LLM_ENDPOINT_BEDROCK,
      sts: given.LLM_ENDPOINT_STS,
    },
    timeout_ms: given.LLM_TIMEOUT_MS,
    /** null = organizations without their own model account get deterministic texts. */
    platform: platformModel(given),
  };
}

/** Called after llmContradictions found no problem. */
function platformModel(given: LlmVariables): LlmConfig | null {
  const { LLM_PLATFORM_PROVIDER: provider, LLM_PLATFORM_API_KEY: api_key = '', LLM_PLATFORM_MODEL: model } = given;
  const named = model === undefined ? {} : { model };
  switch (provider) {
    case undefined:
      return null;
    case 'anthropic':
    case 'openai':
    case 'gemini':
      return { provider, api_key, ...named };
    case 'bedrock':
      return {
        provider,
        aws_region: given.LLM_PLATFORM_AWS_REGION ?? '',
        aws_access_key_id: given.LLM_PLATFORM_AWS_ACCESS_KEY_ID ?? '',
        aws_secret_access_key: given.LLM_PLATFORM_AWS_SECRET_ACCESS_KEY ?? '',
        ...named,
      };
    case 'azure_openai':
      return {
        provider,
        azure_endpoint: given.LLM_PLATFORM_AZURE_ENDPOINT ?? '',
        azure_deployment: given.LLM_PLATFORM_AZURE_DEPLOYMENT ?? '',
        azure_api_key: api_key,
      };
  }
}

function modelName() {
  return z.string().regex(/^(?!.*\.\.)[\w.:/@-]{1,2048}$/, 'must contain only letters, digits and . : / @ _ -');
}

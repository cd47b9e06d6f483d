import type { LlmClient, LlmConfig, LlmProvider } from '../../domains/llm/types.ts';
import { type AssumeRole, createAssumeRole } from '../aws/assumed-role.ts';
import type { GuardedFetch } from '../egress/index.ts';
import { openAnthropic } from './anthropic.ts';
import { askOnce } from './ask-once.ts';
import { openBedrock } from './bedrock.ts';
import { unusableConfig } from './faults.ts';
import { openGemini } from './gemini.ts';
import { inferenceProfile } from './inference-profile.ts';
import { openAzureOpenAi, openOpenAi } from './openai.ts';
import type { Provider } from './provider.ts';

export interface LlmAdapterSettings {
  /** Default model of a provider. An Azure deployment is always named. */
  default_models: Record<Exclude<LlmProvider, 'azure_openai'>, string>;
  /**
   * Endpoints that replace those of the vendors, for tests and private gateways. They are trusted because only the
   * operator sets them; the one for azure_openai also replaces the endpoint of an organization.
   */
  endpoints: Partial<Record<LlmProvider | 'sts', string | undefined>>;
  /** Timeout of one attempt. */
  timeout_ms: number;
}

export interface LlmAdapterDeps {
  settings: LlmAdapterSettings;
  /** Fetches URLs that an organization entered. */
  egress: GuardedFetch;
  now?: () => Date;
}

/** The clients of configured models. */
export type LlmClients = (config: LlmConfig) => Promise<LlmClient>;

const AZURE_API_VERSION = '2024-12-01-preview';
const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;
/** Names become parts of paths and must not escape from them. */
const NAME = /^(?!.*\.\.)[\w.:/@-]{1,2048}$/;

/**
 * Creates clients of five providers. The SDK of a provider is loaded with its first client.
 *
 * @throws LlmError `rejected`, from the returned function, if the configuration cannot be used
 */
export function createLlmClients({ settings, egress, now = () => new Date() }: LlmAdapterDeps): LlmClients {
  const parts = { settings, egress, assumeRole: createAssumeRole({ now }) };
  return async (config) => {
    const provider = await open(config, parts);
    if (!NAME.test(provider.model)) throw unusableConfig(config.provider);
    const limits = { name: config.provider, timeout_ms: settings.timeout_ms };
    return {
      model: provider.model,
      ask: (request, signal) => askOnce(provider, request, { ...limits, signal }),
    };
  };
}

interface Parts {
  settings: LlmAdapterSettings;
  egress: GuardedFetch;
  assumeRole: AssumeRole;
}

function open(config: LlmConfig, { settings, egress, assumeRole }: Parts): Promise<Provider> {
  const { endpoints, default_models } = settings;
  switch (config.provider) {
    case 'anthropic':
    case 'openai':
    case 'gemini': {
      const { provider, api_key, model = default_models[provider] } = config;
      return OPEN[provider]({ api_key, model, endpoint: endpoints[provider] });
    }
    case 'bedrock': {
      const { aws_region: region, aws_role_arn: role_arn } = config;
      if (!REGION.test(region)) throw unusableConfig(config.provider);
      return openBedrock({
        region,
        role_arn,
        keys: { accessKeyId: config.aws_access_key_id, secretAccessKey: config.aws_secret_access_key },
        model: config.model ?? inferenceProfile(default_models.bedrock, region),
        endpoint: endpoints.bedrock,
        sts_endpoint: endpoints.sts,
        assumeRole,
      });
    }
    case 'azure_openai':
      return openAzureOpenAi({
        api_key: config.azure_api_key,
        endpoint: endpoints.azure_openai ?? config.azure_endpoint,
        api_version: config.azure_api_version ?? AZURE_API_VERSION,
        deployment: config.azure_deployment,
        send: endpoints.azure_openai === undefined ? egress : undefined,
      });
  }
}

const OPEN = { anthropic: openAnthropic, openai: openOpenAi, gemini: openGemini };

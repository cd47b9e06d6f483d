import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { Llm } from './service.ts';
import type { LlmConfig, StoredConfig } from './types.ts';

type LlmOperations = 'putLlmConfig' | 'getLlmConfig' | 'deleteLlmConfig' | 'validateLlmConfig' | 'getLlmUsage';

export function llmRoutes({ configs, quotas, validations }: Llm): Pick<Handlers, LlmOperations> {
  return {
    async putLlmConfig({ principal, org, body }) {
      return { status: 200, body: configRecord(await configs.put(principal, org.id, toAccount(body))) };
    },

    async getLlmConfig({ org }) {
      return { status: 200, body: configRecord(await configs.get(org.id)) };
    },

    async deleteLlmConfig({ principal, org }) {
      await configs.remove(principal, org.id);
      return { status: 204 };
    },

    async validateLlmConfig({ org }) {
      const { valid, error_class, checked_at } = await validations.validate(org.id);
      return { status: 200, body: { valid, error_class, checked_at: checked_at.toISOString() } };
    },

    async getLlmUsage({ org }) {
      const { week_resets_at, hour_resets_at, ...usage } = await quotas.usage(org.id);
      return {
        status: 200,
        body: {
          plan: usage.plan,
          byok_configured: usage.byok_configured,
          weekly_used: usage.weekly_used,
          weekly_cap: usage.weekly_cap,
          week_resets_at: week_resets_at.toISOString(),
          hourly_used: usage.hourly_used,
          hourly_cap: usage.hourly_cap,
          hour_resets_at: hour_resets_at.toISOString(),
        },
      };
    },
  };
}

/** A deployment has one model, so an additional name has no meaning. */
function toAccount(body: LlmConfig & { model?: string }): LlmConfig {
  if (body.provider !== 'azure_openai') return body;
  const { model: _ignored, ...account } = body;
  return account;
}

function configRecord(config: StoredConfig) {
  return pickFields(config, ['provider', 'created_at', 'updated_at', 'last_validated_at']);
}

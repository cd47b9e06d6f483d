import type { Handlers } from '../../contract/operation.ts';
import type { Webhooks } from './service.ts';
import type { WebhookConfig } from './types.ts';

type WebhookOperations =
  | 'listWebhookConfigs'
  | 'createWebhookConfig'
  | 'getWebhookConfig'
  | 'updateWebhookConfig'
  | 'rotateWebhookSecret'
  | 'deleteWebhookConfig';

/** @param api_url where providers find the API; null = receivers are told as paths */
export function webhookRoutes(
  { configs }: Webhooks,
  { api_url }: { api_url: string | null },
): Pick<Handlers, WebhookOperations> {
  const record = (config: WebhookConfig) => configRecord(config, api_url);

  return {
    async listWebhookConfigs({ org, query: { limit, offset } }) {
      const { webhook_configs, total } = await configs.list(org.id, { limit, offset });
      return { status: 200, body: { webhook_configs: webhook_configs.map(record), total, limit, offset } };
    },

    async createWebhookConfig({ principal, org, body }) {
      const { config, raw_secret } = await configs.create(principal, org.id, body);
      const Location = `/api/v2/orgs/${org.id}/webhook-configs/${config.id}`;
      return { status: 201, body: { ...record(config), raw_secret }, headers: { Location } };
    },

    async getWebhookConfig({ org, path }) {
      return { status: 200, body: record(await configs.get(org.id, path.config_id)) };
    },

    async updateWebhookConfig({ principal, org, path, body }) {
      return { status: 200, body: record(await configs.update(principal, org.id, path.config_id, body)) };
    },

    async rotateWebhookSecret({ principal, org, path }) {
      const { config, raw_secret } = await configs.rotateSecret(principal, org.id, path.config_id);
      return { status: 200, body: { ...record(config), raw_secret } };
    },

    async deleteWebhookConfig({ principal, org, path }) {
      await configs.remove(principal, org.id, path.config_id);
      return { status: 204 };
    },
  };
}

function configRecord(config: WebhookConfig, api_url: string | null) {
  const { id, provider } = config;
  return {
    id,
    provider,
    repo_path: config.repo_path,
    provider_base_url: config.provider_base_url,
    label: config.label,
    enabled: config.enabled,
    secret_prefix: config.secret_prefix,
    api_token_prefix: config.api_token_prefix,
    api_token_status: config.api_token_status,
    api_token_expires_at: config.api_token_expires_at?.toISOString() ?? null,
    receiver_url: provider === 'generic' ? null : `${api_url ?? ''}/api/v2/webhooks/${provider}/${id}`,
    last_delivery_at: config.last_delivery_at?.toISOString() ?? null,
    last_delivery_status: config.last_delivery_status,
    created_at: config.created_at.toISOString(),
    updated_at: config.updated_at.toISOString(),
  };
}

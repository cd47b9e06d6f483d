import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { Logger } from '../../log.ts';
import { DELIVERY_FIELDS } from './fields.ts';
import type { Webhooks } from './service.ts';
import type { ReceivedHeaders } from './signature.ts';
import type {
  AcceptDelivery,
  ConfigWithSecret,
  Delivery,
  IncomingDelivery,
  ScmProvider,
  WebhookConfig,
} from './types.ts';

const UNKNOWN_ADDRESS = 'API_URL is not set: the receiver_url of webhooks is derived from the address of the request';

type WebhookOperations =
  | 'listWebhookConfigs'
  | 'createWebhookConfig'
  | 'getWebhookConfig'
  | 'updateWebhookConfig'
  | 'setWebhookToken'
  | 'deleteWebhookToken'
  | 'rotateWebhookSecret'
  | 'deleteWebhookConfig'
  | 'testWebhook'
  | 'listWebhookDeliveries'
  | 'redeliverWebhook'
  | 'receiveGithubWebhook'
  | 'receiveGitlabWebhook';

/** @param api_url base URL of the API for providers; null = the address of the request */
export function webhookRoutes(
  { configs, deliveries, tokens, outbound, test }: Webhooks,
  { api_url, log }: { api_url: string | null; log: Pick<Logger, 'warn'> },
): Pick<Handlers, WebhookOperations> {
  const record = (config: WebhookConfig, origin: string) => configRecord(config, api_url ?? origin);
  const received = async ({ attachment }: { attachment: unknown }) => {
    const body = await (attachment as AcceptDelivery)();
    return body.accepted ? { status: 202 as const, body } : { status: 200 as const, body };
  };

  return {
    async listWebhookConfigs({ org, query: { limit, offset }, origin }) {
      const { webhook_configs, total } = await configs.list(org.id, { limit, offset });
      const records = webhook_configs.map((config) => record(config, origin));
      return { status: 200, body: { webhook_configs: records, total, limit, offset } };
    },

    async createWebhookConfig({ principal, org, body, origin, once }) {
      if (api_url === null && body.provider !== 'generic') log.warn({ origin }, UNKNOWN_ADDRESS);
      return once(
        ({ config, raw_secret }: ConfigWithSecret) => {
          const Location = `/api/v2/orgs/${org.id}/webhook-configs/${config.id}`;
          return { status: 201, body: { ...record(config, origin), raw_secret }, headers: { Location } };
        },
        (keep) => configs.create(principal, org.id, body, keep),
      );
    },

    async getWebhookConfig({ org, path, origin }) {
      return { status: 200, body: record(await configs.get(org.id, path.config_id), origin) };
    },

    async updateWebhookConfig({ principal, org, path, body, origin }) {
      return { status: 200, body: record(await configs.update(principal, org.id, path.config_id, body), origin) };
    },

    async setWebhookToken({ principal, org, path, body, origin }) {
      return { status: 200, body: record(await tokens.set(principal, org.id, path.config_id, body), origin) };
    },

    async deleteWebhookToken({ principal, org, path }) {
      await tokens.clear(principal, org.id, path.config_id);
      return { status: 204 };
    },

    async rotateWebhookSecret({ principal, org, path, origin, once }) {
      return once(
        ({ config, raw_secret }: ConfigWithSecret) => ({
          status: 200,
          body: { ...record(config, origin), raw_secret },
        }),
        (keep) => configs.rotateSecret(principal, org.id, path.config_id, keep),
      );
    },

    async deleteWebhookConfig({ principal, org, path }) {
      await configs.remove(principal, org.id, path.config_id);
      return { status: 204 };
    },

    async testWebhook({ org, path }) {
      const { delivered, status_code, error, duration_ms } = await test(org.id, path.config_id);
      return { status: 200, body: { delivered, status_code, error, duration_ms } };
    },

    async redeliverWebhook({ org, path: { config_id, delivery_id } }) {
      return { status: 202, body: deliveryRecord(await outbound.redeliver(org.id, config_id, delivery_id)) };
    },

    async listWebhookDeliveries({ org, path: { config_id }, query: { limit, offset, direction } }) {
      const page = await deliveries.list(org.id, { config_id, direction }, { limit, offset });
      const body = { deliveries: page.deliveries.map(deliveryRecord), total: page.total, limit, offset };
      return { status: 200, body };
    },

    receiveGithubWebhook: received,
    receiveGitlabWebhook: received,
  };
}

/** Records that must exist before the query and the body of a request are validated. */
export function webhookPathChecks({ configs }: Pick<Webhooks, 'configs'>) {
  const assertConfigExists = ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
    configs.get(org_id, path['config_id'] ?? '');
  return {
    updateWebhookConfig: assertConfigExists,
    setWebhookToken: assertConfigExists,
    listWebhookDeliveries: assertConfigExists,
  };
}

/** The configuration is known before the body is read; `attachment` of the request is its TakeIn. */
export function webhookBodyReaders({ receiver }: Pick<Webhooks, 'receiver'>) {
  const open = (provider: ScmProvider) => async (request: { path: Record<string, string>; headers: ReceivedHeaders }) =>
    readDelivery(await receiver.open(provider, request.path['config_id'] ?? '', request.headers));
  return { receiveGithubWebhook: open('github'), receiveGitlabWebhook: open('gitlab') };
}

/** Adapts a delivery to a body reader. */
export function readDelivery({ key, update, end }: IncomingDelivery) {
  const reading = { update, end: async (raw: Buffer) => ({ body: {}, attachment: end(raw) }) };
  return key === undefined ? reading : { ...reading, key };
}

function deliveryRecord(delivery: Delivery) {
  return pickFields(delivery, DELIVERY_FIELDS);
}

function configRecord(config: WebhookConfig, api_url: string) {
  const { id, provider } = config;
  return {
    ...pickFields(config, [
      'repo_path',
      'provider_base_url',
      'label',
      'enabled',
      'secret_prefix',
      'api_token_prefix',
      'api_token_status',
      'api_token_expires_at',
      'last_delivery_at',
      'last_delivery_status',
      'created_at',
      'updated_at',
    ]),
    id,
    provider,
    receiver_url: provider === 'generic' ? null : `${api_url}/api/v2/webhooks/${provider}/${id}`,
  };
}

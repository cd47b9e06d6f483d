import { createWebhookConfigs, type WebhookConfigsDeps } from './config-service.ts';

/** Repositories that call us and servers that we call. */
export function createWebhooks(deps: WebhookConfigsDeps) {
  return { configs: createWebhookConfigs(deps) };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

import { createWebhookConfigs, type WebhookConfigsDeps } from './config-service.ts';
import { createDeliveries, type DeliveriesDeps } from './deliveries-service.ts';
import { createReceiver, type ReceiverDeps } from './receive-service.ts';

/** Repositories that call us and servers that we call. */
export function createWebhooks(deps: WebhookConfigsDeps & DeliveriesDeps & ReceiverDeps) {
  const { receive } = createReceiver(deps);
  return { configs: createWebhookConfigs(deps), deliveries: createDeliveries(deps), receive };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

import { createWebhookConfigs, type WebhookConfigsDeps } from './config-service.ts';
import { createDeliveries, type DeliveriesDeps } from './deliveries-service.ts';
import { createReceiver, type ReceiverDeps } from './receive-service.ts';

/** Repositories that call us and servers that we call. */
export function createWebhooks(deps: WebhookConfigsDeps & DeliveriesDeps & Omit<ReceiverDeps, 'deliveries'>) {
  const deliveries = createDeliveries(deps);
  const { receive } = createReceiver({ ...deps, deliveries });
  return { configs: createWebhookConfigs(deps), deliveries, receive };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

import { createWebhookConfigs, type WebhookConfigsDeps } from './config-service.ts';
import { createDeliveries, type DeliveriesDeps } from './deliveries-service.ts';
import { createReceiver, type ReceiverDeps } from './receive-service.ts';
import { createTokens, type TokensDeps } from './token-service.ts';

type Deps = Omit<WebhookConfigsDeps, 'tokens'> & DeliveriesDeps & Omit<ReceiverDeps, 'deliveries'> & TokensDeps;

/** Repositories that call us and servers that we call. */
export function createWebhooks(deps: Deps) {
  const deliveries = createDeliveries(deps);
  const tokens = createTokens(deps);
  const { receive } = createReceiver({ ...deps, deliveries });
  return { configs: createWebhookConfigs({ ...deps, tokens }), deliveries, tokens, receive };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

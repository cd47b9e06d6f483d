export { maskAddress } from './address.ts';
export { readDeliveryHeaders } from './events.ts';
export { webhookParts } from './parts.ts';
export { readDelivery } from './routes.ts';
export { SEALED_WEBHOOKS } from './seals.ts';
export { classifyStatus, readWait, waitAfter } from './sending.ts';
export { createWebhooks, type Webhooks } from './service.ts';
export { checkGithubSender, type ReceivedHeaders } from './signature.ts';
export type {
  AcceptDelivery,
  ConfigAccess,
  DeliverySource,
  IncomingDelivery,
  OpenedDelivery,
  Received,
  WebhookProvider,
} from './types.ts';

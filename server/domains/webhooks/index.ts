export { announcedBy } from './events.ts';
export { webhookParts } from './parts.ts';
export { readDelivery } from './routes.ts';
export { SEALED_WEBHOOKS } from './seals.ts';
export { createWebhooks, type Webhooks } from './service.ts';
export { checkGithubSender, type ReceivedHeaders } from './signature.ts';
export type { ConfigAccess, DeliverySource, OpenedDelivery, Received, Reception, TakeIn } from './types.ts';

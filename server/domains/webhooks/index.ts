export { announcedBy } from './events.ts';
export { webhookJobs, webhookSweeps } from './jobs.ts';
export type { RawDelivery } from './receive-service.ts';
export { readRaw, webhookBodyReaders, webhookRoutes } from './routes.ts';
export { SEALED_WEBHOOKS } from './seals.ts';
export { createWebhooks, type Webhooks } from './service.ts';
export { isSignedByGithub, type ReceivedHeaders } from './signature.ts';
export type { ConfigAccess, DeliverySource, OpenedDelivery, Received } from './types.ts';

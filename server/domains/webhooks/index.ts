export { announcedBy } from './events.ts';
export { webhookJobs, webhookSweeps } from './jobs.ts';
export { readDelivery, webhookBodyReaders, webhookPathChecks, webhookRoutes } from './routes.ts';
export { SEALED_WEBHOOKS } from './seals.ts';
export { createWebhooks, type Webhooks } from './service.ts';
export { checkGithubSender, type ReceivedHeaders } from './signature.ts';
export type { ConfigAccess, DeliverySource, OpenedDelivery, Received, Reception, TakeIn } from './types.ts';

export { webhookSweeps } from './jobs.ts';
export { webhookBodyReaders, webhookRoutes } from './routes.ts';
export { SEALED_WEBHOOKS } from './seals.ts';
export { createWebhooks } from './service.ts';

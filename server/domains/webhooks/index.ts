export { webhookSweeps } from './jobs.ts';
export { webhookBodyReaders, webhookRoutes } from './routes.ts';
export { createWebhooks } from './service.ts';

export { webhookRoutes } from './routes.ts';
export { createWebhooks } from './service.ts';

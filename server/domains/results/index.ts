export { resultPathChecks, resultRoutes } from './routes.ts';
export { createResults, type Results } from './service.ts';

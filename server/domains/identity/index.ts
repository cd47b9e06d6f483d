export { identityRoutes } from './routes.ts';
export { createIdentity, type Identity } from './service.ts';

export { orgSweeps } from './jobs.ts';
export { cleanName } from './name.ts';
export { orgPathChecks, orgRoutes } from './routes.ts';
export { createOrgs, type Orgs, SEALED_NOISE_KEYS } from './service.ts';

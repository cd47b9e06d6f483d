export { installationSweeps } from './jobs.ts';
export { returnPage } from './return-page.ts';
export { installationBodyReaders, installationPathChecks, installationRoutes } from './routes.ts';
export { SEALED_INSTALLATION_KEYS } from './seals.ts';
export { createInstallations, type Installations } from './service.ts';
export type { InstallationAccess } from './types.ts';

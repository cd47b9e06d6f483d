export { cloudAccountParts } from './parts.ts';
export type { ScanSession } from './scan-access-service.ts';
export { SEALED_CLOUD_CREDENTIALS } from './seals.ts';
export { type CloudAccounts, createCloudAccounts } from './service.ts';
export type { CloudAccount, CloudGrants, Clouds, DeploymentIdentity, OpenedAccount } from './types.ts';

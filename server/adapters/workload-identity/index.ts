export { openDeployment } from './deployment.ts';
export { createWorkloadIssuers } from './issuers.ts';
export type { Deployment, WorkloadIssuers, WorkloadToken } from './types.ts';

export { describeDeployment } from './deployment.ts';
export { createWorkloadIssuers } from './issuers.ts';
export type { DeploymentDocuments, WorkloadIssuers, WorkloadToken } from './types.ts';

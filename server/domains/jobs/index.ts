export { jobParts } from './parts.ts';
export { payloadAad, payloadKey } from './payload.ts';
export { pollAt } from './routes.ts';
export { createJobs, type Jobs } from './service.ts';
export type { Claim, Failure, Finished, JobHandler } from './types.ts';

export { analysisJobs, analysisSweeps } from './jobs.ts';
export { analysisBodyReaders, analysisRoutes } from './routes.ts';
export { createAnalysisRunner } from './run-service.ts';
export { createAnalysis } from './service.ts';
export { createAnalysisUpkeep } from './upkeep-service.ts';

export { createFixes, createFixWork, type Fixes } from './fix-service.ts';
export { analysisJobs, analysisSweeps } from './jobs.ts';
export { createNarrator } from './narrate-service.ts';
export { createPlanWork } from './plan-work-service.ts';
export { createQuestions } from './questions-service.ts';
export { analysisBodyReaders, analysisRoutes } from './routes.ts';
export { createJobRunner } from './run-service.ts';
export { createAnalysis } from './service.ts';
export { createAnalysisUpkeep } from './upkeep-service.ts';

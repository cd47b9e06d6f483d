export { createClassifier } from './classify-service.ts';
export { createFixes, createFixHandler, type Fixes } from './fix-service.ts';
export { createNarrator } from './narrate-service.ts';
export { analysisParts } from './parts.ts';
export { createPlanHandler } from './plan-handler-service.ts';
export { createRuleBooks } from './rule-book-service.ts';
export { type Analysis, createAnalysis, type Submitted } from './service.ts';
export { createTracedModelCalls, type TracedModelCalls } from './traced-model-call-service.ts';
export type { CiInput } from './types.ts';

export { ruleParts } from './parts.ts';
export { createRules, type Rules } from './service.ts';
export type { PolicyEffect, RulesInForce, StoredAnalysisPool } from './types.ts';

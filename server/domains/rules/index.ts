export { ruleParts } from './parts.ts';
export { createRules, type Rules } from './service.ts';
export type { RulesInForce } from './types.ts';

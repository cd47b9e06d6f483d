export { createFindPlans, type FindPlans } from './find.ts';
export type { PlanReader } from './types.ts';

export { entitlementsOf, PLANS, type Plan } from './plans.ts';

export { entitlementsOf, type Plan } from './plans.ts';

export { assertWithin, type Contract, limitsOf, type Overrides } from './limits.ts';
export { entitlementsOf, LIMIT_NAMES, type LimitName, type Limits, PLANS, type Plan } from './plans.ts';
export { type QuotaWindows, quotaWindows } from './windows.ts';

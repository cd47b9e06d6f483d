export { assertWithin, type Contract, type Overrides, resolveLimits as limitsOf } from './limits.ts';
export {
  LIMIT_NAMES,
  type LimitName,
  type Limits,
  PLANS,
  type Plan,
  resolveEntitlements as entitlementsOf,
} from './plans.ts';
export { type QuotaWindows, quotaWindows } from './windows.ts';

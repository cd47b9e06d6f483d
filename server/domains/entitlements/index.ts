export { assertIncluded, assertWithin, type Contract, type Overrides, resolveLimits } from './limits.ts';
export {
  LIMIT_NAMES,
  type LimitName,
  type Limits,
  PLANS,
  type Plan,
  resolveEntitlements,
} from './plans.ts';
export { type PlanPreview, previewPlan } from './preview.ts';
export { type QuotaWindows, quotaWindows } from './windows.ts';

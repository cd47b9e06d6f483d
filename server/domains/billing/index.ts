export { billingParts } from './parts.ts';
export { createBilling } from './service.ts';
export type { Prices } from './types.ts';

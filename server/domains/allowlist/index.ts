export { allowlistParts } from './parts.ts';
export { type Allowlist, createAllowlist } from './service.ts';
export type { AllowlistSettings, EmailLogin } from './types.ts';

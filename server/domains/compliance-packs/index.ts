export { compliancePackParts } from './parts.ts';
export { createCompliancePacks } from './service.ts';
export type { OpenDraft } from './types.ts';

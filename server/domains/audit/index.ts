export { dumpAuditLog } from './dump-service.ts';
export { auditParts } from './parts.ts';
export { type Audit, createAudit } from './service.ts';
export type { AuditAction, AuditDetails, AuditEvent, AuditWriter } from './types.ts';

export { dumpAuditLog } from './dump-service.ts';
export { auditSweeps } from './jobs.ts';
export { auditRoutes } from './routes.ts';
export { type Audit, createAudit } from './service.ts';
export type { AuditAction, AuditDetails, AuditEvent, AuditWriter } from './types.ts';

export type { AuditAction, AuditDetails, AuditEvent, AuditWriter } from './types.ts';

import type { AuditEvent } from '../../server/domains/audit/index.ts';

/** An audit writer that records its events, and fails inside a transaction while `broken`. */
export function recordedAudit() {
  const audit = {
    events: [] as AuditEvent[],
    broken: false,
    async record(event: AuditEvent): Promise<void> {
      audit.events.push(event);
    },
    async recordIn(_trx: unknown, event: AuditEvent): Promise<void> {
      if (audit.broken) throw new Error('the audit log cannot be written');
      audit.events.push(event);
    },
  };
  return audit;
}

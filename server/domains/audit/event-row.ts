import { auditDetailText } from '../../../engine/index.ts';
import type { AuditEvent, EventRow } from './types.ts';

/** @throws Error if the detail, the address or the id cannot be stored unchanged: the row would look altered */
export function toEventRow(event: AuditEvent, { id, now }: { id: string; now: Date }): EventRow {
  const { action, org_id, actor_email, detail } = event;
  if (actor_email.includes('\0') || !actor_email.isWellFormed()) throw new Error('actor_email is not a valid string');
  return { id, org_id, actor_email, action, detail_text: auditDetailText(detail), created_at: now };
}

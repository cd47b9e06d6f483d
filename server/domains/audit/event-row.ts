import { auditDetailText } from '../../../engine/index.ts';
import type { AuditEvent, EventRow } from './types.ts';

/**
 * @throws Error when the detail, the address or the id cannot be kept as they are: they would be read back changed, and
 *   the row would look tampered with
 */
export function toEventRow(event: AuditEvent, { id, now }: { id: string; now: Date }): EventRow {
  const { action, org_id, actor_email, detail } = event;
  if (actor_email.includes('\0') || !actor_email.isWellFormed()) throw new Error('actor_email is not a valid string');
  return { id, org_id, actor_email, action, detail_text: auditDetailText(detail), created_at: now };
}

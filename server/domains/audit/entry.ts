import { AuditDetailError, auditDetailText } from '../../../engine/index.ts';
import type { AuditEntry, StoredEntry } from './types.ts';

const NIL_ID = '00000000-0000-0000-0000-000000000000';
/** The first and the last time that RFC 3339 can represent. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Converts a stored row to an entry of the contract. An altered row is shown as far as possible: a time outside of the
 * years 1 to 9999 as the nearest one inside, and a detail that the service cannot have written as an empty object. Only
 * the verification reports the alteration.
 *
 * @see openapi.yaml, AuditEntry
 */
export function toEntry({ id, actor_email, org_id, action, detail, created_at }: StoredEntry): AuditEntry {
  return {
    id: id ?? NIL_ID,
    actor_email: actor_email ?? '',
    org_id,
    action: action ?? '',
    detail: isDetail(detail) ? detail : {},
    created_at: nearestTime(created_at),
  };
}

function nearestTime(time: StoredEntry['created_at']): Date {
  if (time === null) return new Date(EARLIEST_MS);
  const time_ms = Number(time);
  if (Number.isNaN(time_ms)) return new Date(LATEST_MS);
  return new Date(Math.min(Math.max(time_ms, EARLIEST_MS), LATEST_MS));
}

/** Also rejects values nested so deeply that serializing them would overflow the stack. */
function isDetail(detail: unknown): detail is Record<string, unknown> {
  try {
    auditDetailText(detail);
    return true;
  } catch (error) {
    if (error instanceof AuditDetailError) return false;
    throw error;
  }
}

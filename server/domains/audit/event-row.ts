import { auditDetailText } from '../../../engine/index.ts';
import type { AuditAction, AuditEvent, EventRow } from './types.ts';

/** Actions that the interface specification does not list; a deployment may do without their rows. */
const ADDITIONAL: ReadonlySet<AuditAction> = new Set([
  'org.updated',
  'org.settings_updated',
  'org.plan_overridden',
  'membership.invited',
  'membership.invitation_revoked',
  'federation_trust.created',
  'federation_trust.deleted',
  'custom_rule.created',
  'custom_rule.updated',
  'custom_rule.enabled',
  'custom_rule.disabled',
  'custom_rule.deleted',
  'builtin_rule.disabled',
  'builtin_rule.enabled',
  'plan_noise.settings_updated',
  'plan_noise.suppressed',
  'plan_noise.suppression_removed',
  'scan_link.created',
]);

export function isAdditional(action: AuditAction): boolean {
  return ADDITIONAL.has(action);
}

/**
 * @throws Error when the detail, the address or the id cannot be kept as they are: they would be read back changed, and
 *   the row would look tampered with
 */
export function toEventRow(event: AuditEvent, { id, now }: { id: string; now: Date }): EventRow {
  const { action, org_id, actor_email, detail } = event;
  if (actor_email.includes('\0') || !actor_email.isWellFormed()) throw new Error('actor_email is no text to keep');
  return { id, org_id, actor_email, action, detail_text: auditDetailText(detail), created_at: now };
}

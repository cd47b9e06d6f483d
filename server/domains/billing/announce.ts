/** The audit rows of a subscription that was read. */
import type { Db } from '../../db/index.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Decision } from './decide.ts';
import type { Duplicate, StoredEvent } from './types.ts';

const PAYMENT_FAILED = 'invoice.payment_failed';

export interface Outcome {
  decision: Decision;
  /** The plan of the organization afterwards. */
  plan: string;
  customer_id: string;
  /** Those that were not known before. */
  duplicates: readonly Duplicate[];
}

/** The last statements of a transaction. @param event null: found by the daily reconciliation */
export async function announce(
  trx: Db,
  audit: Pick<AuditWriter, 'recordIn'>,
  { org_id, event }: { org_id: string; event: StoredEvent | null },
  { decision, plan, customer_id, duplicates }: Outcome,
): Promise<void> {
  const { change, state } = decision;
  const { status } = state;
  const cause = { stripe_event_id: event?.stripe_event_id ?? '', stripe_event_type: event?.type ?? 'reconcile' };
  const row = { org_id, actor_email: '' };
  if (change === 'subscription_created') {
    const detail = { ...cause, plan, status, stripe_customer: customer_id };
    await audit.recordIn(trx, { ...row, action: 'billing.subscription_created', detail });
  } else if (change === 'plan_changed') {
    await audit.recordIn(trx, { ...row, action: 'billing.plan_changed', detail: { ...cause, plan, status } });
  } else if (change === 'subscription_cancelled') {
    await audit.recordIn(trx, { ...row, action: 'billing.subscription_cancelled', detail: { ...cause, plan } });
  }
  if (event?.type === PAYMENT_FAILED) {
    const detail = { ...cause, status, stripe_customer: customer_id };
    await audit.recordIn(trx, { ...row, action: 'billing.payment_failed', detail });
  }
  for (const { subscription_id: stripe_subscription } of duplicates) {
    const detail = { ...cause, stripe_subscription, kept_subscription: state.subscription_id ?? '' };
    await audit.recordIn(trx, { ...row, action: 'billing.duplicate_found', detail });
  }
}

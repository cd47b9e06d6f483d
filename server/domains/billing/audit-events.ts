import type { AuditEventKind } from '../../contract/domain-parts.ts';

interface Cause {
  /** Empty if the change was found without an event. */
  stripe_event_id: string;
  /** `reconcile` if the change was found without an event. */
  stripe_event_type: string;
}

declare module '../audit/types.ts' {
  interface AuditDetails {
    'billing.subscription_created': Cause & { plan: string; status: string; stripe_customer: string };
    'billing.plan_changed': Cause & { plan: string; status: string };
    'billing.subscription_cancelled': Cause & { plan: string };
    'billing.payment_failed': Cause & { status: string; stripe_customer: string };
    'billing.duplicate_found': Cause & { stripe_subscription: string; kept_subscription: string };
    'billing.duplicate_canceled': { stripe_subscription: string; stripe_customer: string };
    'billing.customer_replaced': { stripe_customer: string; former_customer: string };
  }
}

export const BILLING_AUDIT_EVENTS = {
  'billing.subscription_created': 'specified',
  'billing.plan_changed': 'specified',
  'billing.subscription_cancelled': 'specified',
  'billing.payment_failed': 'specified',
  'billing.duplicate_found': 'additional',
  'billing.duplicate_canceled': 'additional',
  'billing.customer_replaced': 'additional',
} as const satisfies Record<string, AuditEventKind>;

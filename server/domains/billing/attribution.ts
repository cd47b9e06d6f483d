/** Whether the customer of an event pays for the organization of the event. */
import type { BillingProvider } from '../../adapters/billing/types.ts';
import type { BillingAccount, ParkedReason, StoredEvent } from './types.ts';

/**
 * The stored customer decides. Without one, what the customer says at the provider does: the payload of an event is never
 * used.
 *
 * @returns why the event cannot be applied; null if it can
 * @throws ServiceError 502 `billing_backend_error`
 */
export async function findObstacle(
  from: Pick<BillingProvider, 'findCustomer'>,
  account: Pick<BillingAccount, 'customer_id'> | undefined,
  { org_id, customer_id }: StoredEvent,
): Promise<ParkedReason | null> {
  const stored = account?.customer_id ?? null;
  if (stored !== null) return stored === customer_id ? null : 'organization_has_another_customer';
  const customer = await from.findCustomer(customer_id);
  if (customer === null) return 'customer_deleted';
  return (customer.org_id ?? org_id) === org_id ? null : 'customer_of_another_organization';
}

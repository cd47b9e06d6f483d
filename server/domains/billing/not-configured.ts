import { ServiceError } from '../../lib/errors.ts';

const HOUR_S = 3_600;

export function billingNotConfigured(): ServiceError {
  const message = 'this deployment has no payment provider; a platform admin can set the plan of an organization';
  return new ServiceError(503, 'billing_not_configured', message, { retry_after: HOUR_S });
}

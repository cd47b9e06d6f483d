import { CloudError, type CloudFault, type CloudIdentity, type CloudProvider } from '../../adapters/cloud/types.ts';
import { ServiceError, Unprocessable } from '../../lib/errors.ts';
import type { Claim } from './types.ts';

const CLOUD_NAMES: Readonly<Record<CloudProvider, string>> = { aws: 'AWS', gcp: 'Google Cloud', azure: 'Azure' };
const RETRY_AFTER_S = 30;

/** The faults with which a cloud answers about the credentials; all others say nothing about them. */
const ABOUT_CREDENTIALS: readonly CloudFault['code'][] = ['credential_error', 'access_denied', 'region_disabled'];

/** Why the cloud does not accept the credentials, and what to do; undefined if the error is not about them. */
export function findRejection(error: unknown): string | undefined {
  if (!(error instanceof CloudError)) return undefined;
  return ABOUT_CREDENTIALS.includes(error.fault.code) ? error.fault.message : undefined;
}

export function credentialsRejected(reason: string): ServiceError {
  return new Unprocessable(`${reason} Nothing was stored.`, 'cloud_credentials_rejected');
}

/** The error for a cloud that gave no usable response. Any other error is returned as it is. */
export function toServiceError(
  error: unknown,
  provider: CloudProvider,
  { signal, consequence }: { signal: AbortSignal; consequence: string },
): unknown {
  if (signal.aborted) return unreachable(`${CLOUD_NAMES[provider]} did not respond in time. ${consequence}`, error);
  return error instanceof CloudError ? unreachable(`${error.fault.message} ${consequence}`, error) : error;
}

/** @param reason whole sentences, like the message of every fault */
function unreachable(reason: string, cause: unknown): ServiceError {
  const message = `${reason} Try again in a minute.`;
  return new ServiceError(503, 'cloud_unreachable', message, { retry_after: RETRY_AFTER_S }, { cause });
}

/** Why credentials do not belong to the claimed account; undefined if they do. */
export function findMismatch(claim: Pick<Claim, 'external_account_id'>, identity: CloudIdentity): string | undefined {
  const { external_account_id: actual } = identity;
  if (actual.toLowerCase() === claim.external_account_id.toLowerCase()) return undefined;
  return `the credentials belong to ${actual}, not to ${claim.external_account_id}`;
}

export function identityMismatch(reason: string): ServiceError {
  const message = `${reason}; use credentials of that account, or correct external_account_id`;
  return new Unprocessable(message, 'cloud_identity_mismatch');
}

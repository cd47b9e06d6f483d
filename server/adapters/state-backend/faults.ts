import { CloudError } from '../cloud/types.ts';
import { EgressError } from '../egress/index.ts';
import { StateBackendError, type StateBackendReason } from './types.ts';

/** What was read when a backend failed, in the words of its users. */
export interface Place {
  /** Who operates the backend, such as `AWS`. */
  service: string;
  /** Names what is read in quotes, such as `the object "a.tfstate" in the bucket "b"`. */
  name: string;
}

/**
 * The error behind whatever a request, a token or a stream threw.
 *
 * @returns never text of the backend: errors of the cloud adapters have messages of this service
 */
export function toBackendError(error: unknown, place: Place): StateBackendError {
  if (error instanceof StateBackendError) return error;
  if (error instanceof CloudError) return fromCloudError(error);
  const reason = error instanceof EgressError ? error.reason : 'unreachable';
  if (reason === 'refused') return notAllowed(place.service, error);
  return reason === 'unusable' ? unusable(place, 'a compressed or invalid response', error) : unreachable(place, error);
}

const CREDENTIAL_REASONS: Partial<Record<string, StateBackendReason>> = {
  credential_error: 'credential_rejected',
  access_denied: 'access_denied',
  throttled: 'throttled',
};

function fromCloudError(error: CloudError): StateBackendError {
  const { fault, message, retry_after_s } = error;
  return new StateBackendError(CREDENTIAL_REASONS[fault.code] ?? 'unreachable', message, {
    cause: error,
    retry_after_s,
  });
}

export function notAllowed(service: string, cause?: unknown): StateBackendError {
  const message = `The address of ${service} is not allowed, because it is not on the public internet. Correct the address, or ask the operator of this service to allow the host.`;
  return new StateBackendError('not_allowed', message, { cause });
}

export function unreachable({ service, name }: Place, cause?: unknown): StateBackendError {
  const message = `${service} did not respond, or closed the connection before ${name} was read completely. Try again later. If it happens again, check the names in the configuration.`;
  return new StateBackendError('unreachable', message, { cause });
}

/** @param what was sent instead, such as `a web page` */
export function unusable({ service, name }: Place, what: string, cause?: unknown): StateBackendError {
  const message = `${service} sent ${what} instead of ${name}. Check the address, the content encoding of the state, and proxies between this service and ${service}.`;
  return new StateBackendError('unusable', message, { cause });
}

export function tooLarge({ name }: Place, max_bytes: number): StateBackendError {
  const message = `A state can have at most ${max_bytes} bytes, and ${name} is larger. It was not read. Split the state, or ask the operator of this service to increase the limit.`;
  return new StateBackendError('too_large', message);
}

export function throttled({ service }: Place, retry_after_s: number | undefined, cause?: unknown): StateBackendError {
  const wait = retry_after_s === undefined ? 'in a minute' : `in ${Math.max(1, Math.ceil(retry_after_s))} seconds`;
  const message = `${service} is limiting the rate of requests. Try again ${wait}.`;
  return new StateBackendError('throttled', message, { cause, retry_after_s });
}

/** @param skew what `describeClockSkew` found */
export function credentialRejected({ service }: Place, skew: string | null, cause?: unknown): StateBackendError {
  const advice =
    skew ?? 'It has expired, or was deleted, disabled or replaced. Connect the cloud account with a new one.';
  return new StateBackendError('credential_rejected', `${service} rejects the credential. ${advice}`, { cause });
}

/** @param grant what to do, such as `Grant storage.objects.get to it.` */
export function accessDenied({ name }: Place, grant: string, cause?: unknown): StateBackendError {
  const message = `The credential is not allowed to read ${name}. ${grant}`;
  return new StateBackendError('access_denied', message, { cause });
}

export function notFound({ name }: Place, cause?: unknown): StateBackendError {
  const message = `There is no ${name.replace(/^the /, '')}. Correct the configuration, or delete this state source if its state was deleted.`;
  return new StateBackendError('not_found', message, { cause });
}

export function noSuchBucket(name: string, cause?: unknown): StateBackendError {
  return new StateBackendError('no_such_bucket', `There is no ${name}. Correct its name.`, { cause });
}

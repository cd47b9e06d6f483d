import { CORRECT_CLOCK, describeClockSkew } from '../rest/clock-skew.ts';
import { createCloudError, createThrottledError } from '../rest/fault.ts';
import { type RestResponse, unreadable } from '../rest/request.ts';
import type { CloudCall, CloudError } from '../types.ts';
import { parseGoogleError, readGoogleRetry } from './error-body.ts';
import { CLOUD, toGoogleError } from './faults.ts';

const WRONG_CLOCK = `Google Cloud rejects the signed token because of its time. The clock of this server is wrong. ${CORRECT_CLOCK}`;

/**
 * Causes that Google names only in the description of an OAuth error: a part of the text, in lowercase, and what to do.
 * The first match counts.
 */
const CAUSES: readonly (readonly [string, string])[] = [
  ['short-lived token', WRONG_CLOCK],
  ['stale to sign-in', WRONG_CLOCK],
  ['issued in the future', WRONG_CLOCK],
  ['not yet valid', WRONG_CLOCK],
  [
    'invalid jwt signature',
    'The key of the service account was deleted or disabled. Create a new key, and connect it.',
  ],
  ['account not found', 'The service account does not exist. Connect the account with another one.'],
  ['account is disabled', 'The service account is disabled. Enable it, or connect another one.'],
  [
    'target service indicated by the "audience"',
    'The workload identity provider does not exist, or is disabled. Compare the audience with the full name of the provider, and check that pool and provider are enabled.',
  ],
  [
    'connecting to the given credential',
    'Google Cloud cannot read the discovery document of this service. Its public address must be reachable from the internet.',
  ],
  [
    'audience',
    'The workload identity provider does not accept the audience of the token. Add the full name of the provider to its allowed audiences, or leave the list empty.',
  ],
  [
    'attribute condition',
    'The attribute condition of the workload identity provider rejects the token. Allow the subject that the setup page shows.',
  ],
  [
    'issuer',
    'The workload identity provider expects another issuer. Set its issuer to the one that the setup page shows.',
  ],
];

/**
 * The error for a response of a token endpoint that is not a token.
 *
 * @see RFC 6749, section 5.2
 */
export function toTokenError(response: RestResponse, call: CloudCall, now: Date): CloudError {
  const { status, body, headers } = response;
  const { service } = call;
  if (status === 429) return createThrottledError(CLOUD, service, readGoogleRetry(response, now));
  if (status >= 500 || parseGoogleError(response) !== undefined) return toGoogleError(response, call, now);
  if (body === null || status < 400) return unreadable({ cloud: CLOUD, service });
  const cause = findCause(body['error_description']) ?? describeClockSkew(headers, now);
  const message = cause ?? 'Google Cloud rejects the credential. Connect the account with a new one.';
  return createCloudError({ code: 'credential_error', message, service });
}

function findCause(description: unknown): string | undefined {
  const text = typeof description === 'string' ? description.toLowerCase() : '';
  return CAUSES.find(([part]) => text.includes(part))?.[1];
}

/** The error for a service account that the federated subject cannot use. */
export function toImpersonationError(response: RestResponse, call: CloudCall, now: Date): CloudError {
  const { service, permissions } = call;
  const error = toGoogleError(response, call, now);
  const is_denied = (response.status === 403 || response.status === 404) && parseGoogleError(response) !== undefined;
  if (!is_denied || error.fault.permission === null) return error;
  const message =
    'The federated subject is not allowed to act as the service account, or the service account does not exist. Grant it roles/iam.workloadIdentityUser on the service account, and wait a few minutes.';
  return createCloudError({ code: 'credential_error', message, service, permission: permissions[0] ?? null });
}

import {
  createCloudError,
  createThrottledError,
  describeBadRequest,
  describeRejectedToken,
  describeServerError,
  type FaultDetail,
} from '../rest/fault.ts';
import { type RestResponse, unreadable } from '../rest/request.ts';
import type { CloudCall, CloudError } from '../types.ts';
import { type GoogleError, parseGoogleError, readGoogleRetry } from './error-body.ts';

export const CLOUD = 'Google Cloud';

/** Reasons that Google gives besides a missing permission, and what to do. */
const REASONS: Readonly<Record<string, (call: CloudCall) => Omit<FaultDetail, 'service'>>> = {
  SERVICE_DISABLED: (call) => denied(describeDisabledApi(call)),
  accessNotConfigured: (call) => denied(describeDisabledApi(call)),
  BILLING_DISABLED: () => denied(NO_BILLING),
  UREQ_PROJECT_BILLING_NOT_FOUND: () => denied(NO_BILLING),
  'googleapis.com/billing-enabled': () => denied(NO_BILLING),
  CONSUMER_INVALID: () => denied(NO_CONSUMER),
  CONSUMER_SUSPENDED: () => denied(NO_CONSUMER),
  USER_PROJECT_DENIED: () => denied(NO_CONSUMER),
  SECURITY_POLICY_VIOLATED: () =>
    denied(
      'A perimeter of VPC Service Controls blocks the request. Add the service account and the API to an ingress rule of the perimeter.',
    ),
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: () => ({
    code: 'credential_error',
    message: 'The token of the service account has too few scopes. Connect the account again.',
  }),
};

const NO_BILLING =
  'Billing is off for the project of the service account. Link a billing account to that project, and scan again.';
const NO_CONSUMER =
  'The project of the service account does not exist, or is suspended. Use a service account of a project that is active.';
const LIMITED = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED', 'quotaExceeded']);

function denied(message: string): Omit<FaultDetail, 'service'> {
  return { code: 'access_denied', message };
}

function describeDisabledApi({ service }: CloudCall): string {
  return `The API ${service}.googleapis.com is not enabled in the project of the service account. Enable it there, wait a few minutes, and scan again.`;
}

/** The error for a response with a status other than 2xx. The text of the response is never part of it. */
export function toGoogleError(response: RestResponse, call: CloudCall, now: Date): CloudError {
  const { service } = call;
  const error = parseGoogleError(response);
  if (isThrottled(response, error)) return createThrottledError(CLOUD, service, readGoogleRetry(response, now));
  const reason = error?.reasons.find((one) => Object.hasOwn(REASONS, one));
  if (reason !== undefined) return createCloudError({ ...REASONS[reason]!(call), service });
  if (response.status >= 500) return createCloudError(describeServerError(CLOUD, service, response.status));
  if (error === undefined) return unreadable({ cloud: CLOUD, service });
  return createCloudError({ ...describeRefusal(response, call, { error, now }), service });
}

function isThrottled({ status }: RestResponse, error: GoogleError | undefined): boolean {
  return status === 429 || (status === 403 && (error?.reasons ?? []).some((reason) => LIMITED.has(reason)));
}

interface Context {
  error: GoogleError;
  now: Date;
}

function describeRefusal(response: RestResponse, call: CloudCall, { error, now }: Context): FaultDetail {
  const { status } = response;
  if (status === 401) return describeRejectedToken(CLOUD, response, now);
  if (status === 403 || status === 404) return describeDenied(call, error);
  return describeBadRequest(CLOUD, call.service, status);
}

function describeDenied(call: CloudCall, error: GoogleError): FaultDetail {
  const permission = error.permission ?? call.permissions[0] ?? null;
  const grant = permission === null ? 'the roles of the setup page' : `the permission ${permission}`;
  return {
    code: 'access_denied',
    message: `The service account is not allowed to call ${call.operation}, or the project does not exist. Check the project ID, and grant ${grant} to the service account on the project.`,
    permission,
  };
}

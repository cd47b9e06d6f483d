import { describeClockSkew } from '../rest/clock-skew.ts';
import { createCloudError, createThrottledError, type FaultDetail } from '../rest/fault.ts';
import { ExpiredPageToken } from '../rest/paging.ts';
import { unreadable } from '../rest/request.ts';
import { type CloudCall, CloudError } from '../types.ts';
import { isOptInRegion } from './default-regions.ts';

export const CLOUD = 'AWS';

/** What was asked when an error occurred. */
export interface CallContext {
  call: CloudCall;
  region: string | null;
  provider_type?: string | null;
  now: Date;
}

const THROTTLED =
  /^(?:Throttl|TooManyRequests|RequestLimitExceeded|RequestThrottled|SlowDown|BandwidthLimitExceeded|PriorRequestNotComplete)/;
const REJECTED =
  /^(?:ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|InvalidSignature|IncompleteSignature|MissingAuthenticationToken|RequestExpired|RequestTimeTooSkewed|InvalidAccessKeyId|InvalidToken|InvalidIdentityToken|IDPRejectedClaim|IDPCommunicationError|AuthFailure)/;
const DENIED = /^(?:AccessDenied|Unauthorized|NotAuthorized|AuthorizationError|InvalidCredentialsException)/;
const UNSUPPORTED = /^(?:UnsupportedAction|TypeNotFound|PrivateType)/;
const NOT_IN_REGION = /^(?:OptInRequired|SubscriptionRequired)/;
/** In a region that is off, AWS does not know any key. */
const UNKNOWN_KEY = /^(?:UnrecognizedClient|InvalidClientTokenId|AuthFailure|InvalidToken)/;
/** Only the name of the action is taken from the message; the rest names principals and resources. */
const ACTION = /not authorized to perform: ([a-z0-9-]{1,40}:[A-Za-z0-9]{1,80})/;

/**
 * The fault behind an error of an SDK. The text of AWS is never part of it.
 *
 * @param error whatever the SDK threw; a CloudError of the connection is returned as it is
 */
export function toAwsError(error: unknown, context: CallContext): CloudError {
  if (error instanceof CloudError) return locate(error, context);
  const failure = readFailure(error);
  if (failure === undefined)
    return locate(unreadable({ cloud: CLOUD, service: context.call.service, cause: error }), context);
  if (isThrottled(failure))
    return locate(createThrottledError(CLOUD, context.call.service, failure.retry_after_s), context);
  const detail = describe(failure, context);
  return createCloudError({ ...detail, ...place(context) });
}

/** Thrown through a request if the resource does not exist, which is no fault. */
export class ResourceNotFound extends Error {
  override readonly name = 'ResourceNotFound';
}

export function assertFound(error: unknown): void {
  if (readFailure(error)?.name === 'ResourceNotFoundException') throw new ResourceNotFound();
}

/** Replaces the error for a page token that AWS no longer accepts. */
export function assertTokenAccepted(error: unknown, token: string | null): void {
  if (token === null) return;
  const { name = '', message = '' } = readFailure(error) ?? {};
  const names_token = /^(?:InvalidRequest|Validation|InvalidParameter)/.test(name) && /token/i.test(message);
  if (names_token || name.startsWith('PaginationTokenExpired')) throw new ExpiredPageToken();
}

interface Failure {
  name: string;
  message: string;
  status: number;
  headers: Headers;
  retry_after_s: number | undefined;
}

/** @returns undefined if the response was not an error that AWS describes, such as the HTML page of a proxy */
function readFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('$metadata' in error) || error instanceof SyntaxError) return undefined;
  const { $metadata, $response } = error as SdkError;
  const headers = new Headers($response?.headers);
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '');
  const { httpStatusCode: status = 0 } = $metadata;
  if (error.name === 'Error' || error.name === 'Unknown' || error.name === 'UnknownError') return undefined;
  const retry_after_s = Number.isNaN(seconds) ? undefined : seconds;
  return { name: error.name, message: error.message, status, headers, retry_after_s };
}

interface SdkError extends Error {
  $metadata: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
}

/** Handlers of Cloud Control pass on what their service says, with the code at the end of the message. */
function isThrottled({ name, message, status }: Failure): boolean {
  return (
    status === 429 ||
    THROTTLED.test(name) ||
    message.includes('HandlerErrorCode: Throttling') ||
    message.includes('Rate exceeded')
  );
}

function isDenied({ name, message }: Failure): boolean {
  return DENIED.test(name) || ACTION.test(message) || message.includes('HandlerErrorCode: AccessDenied');
}

function describe(failure: Failure, context: CallContext): FaultDetail {
  const { name, message, status } = failure;
  const is_off = NOT_IN_REGION.test(name) || (UNKNOWN_KEY.test(name) && isOptInRegion(context.region));
  if (is_off) return describeDisabledRegion(context.region);
  if (REJECTED.test(name)) return describeRejectedKey(failure, context);
  if (isDenied(failure)) return describeDenied(failure, context.call);
  if (UNSUPPORTED.test(name) || message.includes('ResourceModel property')) return describeUnsupported(message);
  return describeFailure(name, status, context.call);
}

export function describeDisabledRegion(region: string | null): FaultDetail {
  const message = `The region ${region} is not enabled in the account. Enable it, or remove it from the regions of this cloud account.`;
  return { code: 'region_disabled', message };
}

function describeRejectedKey({ name, headers }: Failure, { now }: CallContext): FaultDetail {
  const skew = describeClockSkew(headers, now);
  if (skew !== null) return { code: 'credential_error', message: `AWS rejects the credential. ${skew}` };
  const reason = name.startsWith('ExpiredToken') ? 'It has expired.' : 'It was deleted, disabled or replaced.';
  return {
    code: 'credential_error',
    message: `AWS rejects the credential. ${reason} Connect the account with a new one.`,
  };
}

function describeDenied({ message }: Failure, call: CloudCall): FaultDetail {
  const permission = ACTION.exec(message)?.[1] ?? call.permissions[0] ?? null;
  const grant = permission === null ? 'Check its trust policy.' : `Grant ${permission} to it.`;
  return {
    code: 'access_denied',
    message: `The role or user is not allowed to call ${call.operation}. ${grant} A service control policy or a permissions boundary can also deny it.`,
    permission,
  };
}

function describeUnsupported(message: string): FaultDetail {
  const reason = message.includes('ResourceModel property')
    ? 'Cloud Control lists this type only for a given parent.'
    : 'Cloud Control cannot list this type in this region.';
  return { code: 'unsupported_type', message: `${reason} Its resources are not part of the inventory.` };
}

function describeFailure(name: string, status: number, { service, operation }: CloudCall): FaultDetail {
  const retryable = status >= 500;
  const advice = retryable ? 'Scan again later.' : 'The service may not be set up in this region.';
  const message = `AWS could not process ${operation} of ${service} (${name.replace(/[^A-Za-z0-9]/g, '').slice(0, 60)}). ${advice}`;
  return { code: status === 504 ? 'timeout' : 'internal', message, retryable };
}

function place({ call, region, provider_type = null }: CallContext) {
  return { service: call.service, region, provider_type };
}

function locate(error: CloudError, context: CallContext): CloudError {
  const { retry_after_s, cause } = error;
  return new CloudError({ ...error.fault, ...place(context) }, { retry_after_s, cause });
}

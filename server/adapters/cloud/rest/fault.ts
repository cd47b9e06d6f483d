import { CloudError, type CloudFault } from '../types.ts';
import { describeClockSkew } from './clock-skew.ts';

export type FaultDetail = Pick<CloudFault, 'code' | 'message'> & Partial<CloudFault>;

/** A fault; members that are not given are null, and `retryable` is false. */
export function toFault(detail: FaultDetail): CloudFault {
  return { service: null, region: null, provider_type: null, permission: null, retryable: false, ...detail };
}

export function createCloudError(detail: FaultDetail, options?: ErrorOptions): CloudError {
  return new CloudError(toFault(detail), options);
}

/** The cloud limits the request rate. `retry_after_s` is the wait that it asks for. */
export function createThrottledError(cloud: string, service: string, retry_after_s: number | undefined): CloudError {
  const message = `${cloud} is limiting the rate of requests to ${service}. Scan again later.`;
  return new CloudError(toFault({ code: 'throttled', message, service, retryable: true }), { retry_after_s });
}

/** A response with status 500 or higher. */
export function describeServerError(cloud: string, service: string, status: number): FaultDetail {
  return {
    code: status === 504 ? 'timeout' : 'internal',
    message: `${cloud} could not process a request to ${service} (status ${status}). Scan again later.`,
    service,
    retryable: true,
  };
}

/** A response that is larger than any that the cloud should send. */
export function createTooLargeError(cloud: string, service: string, max_bytes: number): CloudError {
  const message = `${cloud} sent a response of ${service} that is larger than ${max_bytes} bytes. It was not read.`;
  return createCloudError({ code: 'parse_error', message, service });
}

/** A request that this service should not have sent. */
export function describeBadRequest(cloud: string, service: string, status: number): FaultDetail {
  return {
    code: 'internal',
    message: `${cloud} rejected a request to ${service} (status ${status}). This is an error of this service; report it.`,
    service,
  };
}

/** A response with status 401 to a token that was just issued. */
export function describeRejectedToken(cloud: string, { headers }: { headers: Headers }, now: Date): FaultDetail {
  const cause =
    describeClockSkew(headers, now) ?? 'It was deleted, disabled or replaced. Connect the account with a new one.';
  return { code: 'credential_error', message: `${cloud} rejects the credential. ${cause}` };
}

/** Rows of a page that have no ID or type. */
export function toSkippedFault(cloud: string, service: string, count: number): CloudFault {
  const message = `${count} resources of a page were left out, because ${cloud} sent them without an ID or type.`;
  return toFault({ code: 'parse_error', message, service });
}

/** A part of a scan that another version of this service has planned. */
export function createUnknownPartError(key: string): CloudError {
  const message = `This version does not know the part ${key}. Start a new scan.`;
  return createCloudError({ code: 'unsupported_type', message });
}

import { CloudError, type CloudFault } from '../types.ts';

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

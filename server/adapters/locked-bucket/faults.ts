import { CloudError } from '../cloud/types.ts';
import { EgressError } from '../egress/index.ts';
import { BucketError } from './types.ts';

const REJECTED = new Set([
  'AuthFailure',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'RequestExpired',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
]);
const OTHER_REGION = new Set(['AuthorizationHeaderMalformed', 'PermanentRedirect', 'TemporaryRedirect']);
/** The error of a bucket without Object Lock: for its configuration, and for an object with a lock. */
const NOT_LOCKED = new Set(['ObjectLockConfigurationNotFoundError', 'InvalidRequest']);

export function notLocked(bucket: string, cause?: unknown): BucketError {
  const message = `The bucket "${bucket}" has no Object Lock, so that its objects can be changed and deleted. Turn on Object Lock (it needs versioning), or choose another bucket.`;
  return new BucketError(message, { cause });
}

/**
 * The error behind whatever the SDK or the connection threw.
 *
 * @see Amazon S3 API Reference, Error responses, PutObject, GetObjectLockConfiguration
 */
export function toBucketError(error: unknown, bucket: string): BucketError {
  if (error instanceof BucketError) return error;
  if (error instanceof CloudError) return fromConnection(error, bucket);
  const { name, status } = readError(error);
  if (name === 'NoSuchBucket') return new BucketError(`There is no bucket "${bucket}".`, { cause: error });
  if (NOT_LOCKED.has(name)) return notLocked(bucket, error);
  if (REJECTED.has(name)) {
    return new BucketError('The bucket rejects the credential. Save the destination with a valid one.', {
      cause: error,
    });
  }
  if (OTHER_REGION.has(name) || status === 301 || status === 307) {
    return new BucketError(`The bucket "${bucket}" is not in this region. Set its region.`, { cause: error });
  }
  if (status === 403) return denied(bucket, error);
  return unavailable(bucket, error);
}

/** Whether an object is there already: the condition of a write was not met. */
export function isPresent(error: unknown): boolean {
  return readError(error).status === 412;
}

function fromConnection(error: CloudError, bucket: string): BucketError {
  if (error.fault.code === 'credential_error') return new BucketError(error.message, { cause: error });
  const { cause } = error;
  if (!(cause instanceof EgressError) || cause.reason !== 'refused') return unavailable(bucket, error);
  const message = `The address of the bucket "${bucket}" is not on the public internet. Correct the endpoint, or ask the operator of this service to allow the host.`;
  return new BucketError(message, { cause: error });
}

function denied(bucket: string, cause: unknown): BucketError {
  const message = `The credential is not allowed to use the bucket "${bucket}". Grant s3:GetBucketObjectLockConfiguration on it, and s3:PutObject, s3:PutObjectRetention and s3:GetObject on its objects.`;
  return new BucketError(message, { cause });
}

function unavailable(bucket: string, cause: unknown): BucketError {
  return new BucketError(`The bucket "${bucket}" cannot be reached, or gave no usable response.`, { cause });
}

function readError(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const { $metadata, $response } = error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number };
  };
  return { name: error.name, status: $metadata?.httpStatusCode ?? $response?.statusCode };
}

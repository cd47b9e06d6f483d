import { readRetryAfter } from '../../lib/retry-after.ts';
import { REGION } from '../aws/client-options.ts';
import { describeClockSkew } from '../cloud/rest/clock-skew.ts';
import {
  accessDenied,
  credentialRejected,
  noSuchBucket,
  notFound,
  throttled,
  unreachable,
  unusable,
} from './faults.ts';
import type { Transfer } from './transfer.ts';
import { StateBackendError } from './types.ts';

const REJECTED = new Set([
  'AuthFailure',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'NotSignedUp',
  'RequestExpired',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
]);
const OTHER_REGION = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
  'TemporaryRedirect',
]);
const DENIED = new Set(['AccessDenied', 'AllAccessDisabled', 'AccountProblem', 'InvalidPayer']);

interface S3Context {
  transfer: Transfer;
  bucket: string;
  region: string;
  now: Date;
}

/** What the SDK throws for a response that is an error. */
interface SdkError extends Error {
  $metadata: { httpStatusCode?: number };
  $response?: { statusCode?: number; headers?: Record<string, string> };
  Region?: unknown;
}

/**
 * The error behind whatever the SDK threw.
 *
 * @see Amazon S3 API Reference, Error responses
 */
export function toS3Failure(error: unknown, context: S3Context): unknown {
  const { transfer, bucket, now } = context;
  const { place } = transfer;
  if (error instanceof StateBackendError || transfer.signal.aborted || !isSdkError(error)) {
    return transfer.toFailure(error);
  }
  const headers = new Headers(error.$response?.headers);
  const status = error.$metadata.httpStatusCode ?? error.$response?.statusCode ?? 0;
  const region = findOtherRegion(error, headers, context);
  if (region !== undefined || OTHER_REGION.has(error.name)) return wrongRegion(context, region, error);
  if (error.name === 'NoSuchBucket') return noSuchBucket(`S3 bucket "${bucket}"`, error);
  if (error.name === 'NoSuchKey') return notFound(place, error);
  if (REJECTED.has(error.name)) return credentialRejected(place, describeClockSkew(headers, now), error);
  if (error.name === 'InvalidObjectState') return archived(place.name, error);
  if (status === 429 || error.name === 'SlowDown') {
    return throttled(place, readRetryAfter(headers.get('retry-after'), now), error);
  }
  if (status === 403 || DENIED.has(error.name) || error.name.startsWith('KMS.')) return denied(context, error);
  return status >= 500 ? unreachable(place, error) : unusable(place, 'an unexpected response', error);
}

function isSdkError(error: unknown): error is SdkError {
  return error instanceof Error && '$metadata' in error;
}

/** AWS names the region of a bucket in responses to requests that went elsewhere. */
function findOtherRegion(error: SdkError, headers: Headers, { region }: S3Context): string | undefined {
  const named = headers.get('x-amz-bucket-region') ?? error.Region;
  return typeof named === 'string' && REGION.test(named) && named !== region ? named : undefined;
}

function wrongRegion({ bucket, region }: S3Context, right: string | undefined, cause: unknown): StateBackendError {
  const advice =
    right === undefined ? 'Set the region to that of the bucket.' : `It is in ${right}. Set the region to ${right}.`;
  const message = `The S3 bucket "${bucket}" is not in the region ${region}. ${advice}`;
  return new StateBackendError('wrong_region', message, { cause });
}

function denied({ transfer, bucket }: S3Context, cause: SdkError): StateBackendError {
  const grant = `Grant s3:GetObject on the objects and s3:ListBucket on "${bucket}", and kms:Decrypt on its key if it has one. Without s3:ListBucket, AWS also denies reading objects that do not exist. The bucket policy, or a credential of another account, can also be the cause.`;
  return accessDenied(transfer.place, grant, cause);
}

function archived(name: string, cause: unknown): StateBackendError {
  const message = `${name.charAt(0).toUpperCase()}${name.slice(1)} is archived. Restore it, or move it to another storage class.`;
  return new StateBackendError('unusable', message, { cause });
}

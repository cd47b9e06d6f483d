import { isObject } from '../../../lib/is-object.ts';
import { readRetryAfter } from '../../../lib/retry-after.ts';
import type { RestResponse } from '../rest/request.ts';

/** What an error of a Google API says, in the parts that are meant for programs. */
export interface GoogleError {
  /** Such as `PERMISSION_DENIED`; empty if missing. */
  status: string;
  /** Reasons of all details, such as `SERVICE_DISABLED`. */
  reasons: readonly string[];
  /** The permission that is missing, where Google names it. */
  permission: string | null;
  /** Google's text. Only for classification; never shown. */
  message: string;
}

const PERMISSION = /^[a-z][a-zA-Z]{1,60}(\.[a-zA-Z]{1,60}){1,4}$/;

/**
 * Reads the error body of a Google API: `error.status`, the reasons of `ErrorInfo`, `PreconditionFailure` and the older
 * `errors`, and the permission in the metadata.
 *
 * @returns undefined if the body is not such an error
 * @see Google AIP-193; google/rpc/error_details.proto
 */
export function parseGoogleError({ body }: Pick<RestResponse, 'body'>): GoogleError | undefined {
  const error = body?.['error'];
  if (!isObject(error)) return undefined;
  const details = listObjects(error['details']);
  const infos = [...details, ...listObjects(error['errors'])];
  const violations = details.flatMap((detail) => listObjects(detail['violations']));
  const reasons = [...infos.map(({ reason }) => reason), ...violations.map(({ type }) => type)].filter(isText);
  const permissions = details.map(({ metadata }) => (isObject(metadata) ? metadata['permission'] : undefined));
  return {
    status: isText(error['status']) ? error['status'] : '',
    reasons,
    permission: permissions.filter(isText).find((name) => PERMISSION.test(name)) ?? null,
    message: isText(error['message']) ? error['message'] : '',
  };
}

/** Seconds to wait: the header `Retry-After`, or the duration in `RetryInfo`, such as `4s` or `0.5s`. */
export function readGoogleRetry({ headers, body }: RestResponse, now: Date): number | undefined {
  const after = readRetryAfter(headers.get('retry-after'), now);
  if (after !== undefined) return after;
  const error = body?.['error'];
  const delays = isObject(error) ? listObjects(error['details']).map(({ retryDelay }) => retryDelay) : [];
  const delay = delays.filter(isText).find((text) => /^\d{1,6}(\.\d{1,9})?s$/.test(text));
  return delay === undefined ? undefined : Number(delay.slice(0, -1));
}

function listObjects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

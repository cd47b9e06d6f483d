/**
 * The errors that use cases throw. `server/http/errors.ts` turns them into a body; a worker uses `status` to decide
 * whether a retry can help (a status below 500 is final).
 *
 * @see openapi.yaml, Error.error_class
 */
import type { ErrorClass } from './error-classes.ts';

export interface ErrorDetail {
  /** JSON pointer into the request, below `/body`, `/query`, `/params` or `/headers`: `/body/display_name`, `/query/limit`. */
  path: string;
  message: string;
  code: string;
}

export interface ErrorExtra {
  details?: ErrorDetail[];
  /** Whole seconds, at least 1; also sent as the header Retry-After. */
  retry_after?: number;
  /** On 409, the state that the request conflicts with. */
  reason?: string;
  doc_url?: string;
  /** Members of one kind of error, in addition to or instead of the common ones. */
  body?: Record<string, unknown>;
}

export class ServiceError extends Error {
  readonly status: number;
  readonly error_class: ErrorClass;
  readonly extra: ErrorExtra;

  constructor(
    status: number,
    error_class: ErrorClass,
    message: string,
    extra: ErrorExtra = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
    this.status = status;
    this.error_class = error_class;
    this.extra = extra;
  }
}

export class InvalidInput extends ServiceError {
  constructor(message: string, error_class: ErrorClass = 'invalid_request', extra: ErrorExtra = {}) {
    super(400, error_class, message, extra);
  }
}

export class Unauthenticated extends ServiceError {
  constructor(
    message: string,
    error_class: 'unauthenticated' | 'invalid_token' | 'token_expired' | 'invalid_api_key' = 'unauthenticated',
  ) {
    super(401, error_class, message);
  }
}

export type Plan = 'free' | 'team' | 'enterprise';

/** @see openapi.yaml, PlanLimitError */
export interface PlanLimit {
  /** For people: which limit was reached, and which plan allows more. */
  message: string;
  /** Before the request, like `used`. */
  limit: number;
  used: number;
  plan: Plan;
  /** The smallest plan that would allow this request; null if none would. */
  required_plan: Plan | null;
  /** Name of the limit, or of the feature. */
  resource: string;
  /** The feature that the plan does not include. */
  feature?: string;
}

export class PaymentRequired extends ServiceError {
  constructor(code: ErrorClass, limit: PlanLimit) {
    super(402, code, limit.message, { body: { code, error: code, ...limit } });
  }
}

export class Forbidden extends ServiceError {
  constructor(message: string, error_class: ErrorClass) {
    super(403, error_class, message);
  }
}

export class NotFound extends ServiceError {
  constructor(message = 'not found') {
    super(404, 'not_found', message);
  }
}

/** The record of a lookup. @throws NotFound if it is undefined */
export function assertFound<T>(found: T | undefined): T {
  if (found === undefined) throw new NotFound();
  return found;
}

export class Conflict extends ServiceError {
  constructor(message: string, error_class: ErrorClass, extra: ErrorExtra = {}) {
    super(409, error_class, message, extra);
  }
}

export class Gone extends ServiceError {
  constructor(message: string, error_class: ErrorClass, extra: ErrorExtra = {}) {
    super(410, error_class, message, extra);
  }
}

export class PreconditionFailed extends ServiceError {
  constructor(message: string) {
    super(412, 'precondition_failed', message);
  }
}

export class PayloadTooLarge extends ServiceError {
  constructor(message: string) {
    super(413, 'payload_too_large', message);
  }
}

export class UnsupportedMediaType extends ServiceError {
  constructor(message: string) {
    super(415, 'unsupported_media_type', message);
  }
}

export class Unprocessable extends ServiceError {
  constructor(message: string, error_class: ErrorClass) {
    super(422, error_class, message);
  }
}

export class TooManyRequests extends ServiceError {
  constructor(message: string, retry_after: number, error_class: ErrorClass = 'rate_limited') {
    super(429, error_class, message, { retry_after });
  }
}

/** `code`: the error code of the system, driver or database (`ECONNREFUSED`, `57P01`). */
export interface OutageOptions extends ErrorOptions {
  code?: string;
}

/** A part of the service is temporarily not available; the same request may succeed later. */
export class Unavailable extends ServiceError {
  readonly code?: string | undefined;

  constructor(message: string, options: OutageOptions = {}) {
    super(503, 'unavailable', message, { retry_after: 5 }, options);
    this.code = options.code;
  }
}

/** Storage is temporarily not available: a disk is full or failing, or the object store rejects writes. */
export class StorageUnavailable extends ServiceError {
  readonly code?: string | undefined;

  constructor(message: string, options: OutageOptions = {}) {
    super(503, 'storage_unavailable', message, { retry_after: 30 }, options);
    this.code = options.code;
  }
}

/**
 * The errors a use case may throw. `server/http/errors.ts` turns them into a body; a worker reads `status` to decide
 * whether a retry can help (a status under 500 is final).
 *
 * @see openapi.yaml, Error.error_class
 */
import type { ErrorClass } from './error-classes.ts';

export interface ErrorDetail {
  /** JSON pointer into the request, below `/body`, `/query` or `/headers`: `/body/display_name`, `/query/limit`. */
  path: string;
  message: string;
  code: string;
}

export interface ErrorExtra {
  details?: ErrorDetail[];
  /** Whole seconds, at least 1; also sent as the header Retry-After. */
  retry_after?: number;
  /** Names the state that stands in the way, on 409. */
  reason?: string;
  doc_url?: string;
  /** Members that a kind of error has beside, or in place of, those of every error. */
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
  /** For people: what is used up, and which plan has more. */
  message: string;
  /** As it was before the request, as `used` is. */
  limit: number;
  used: number;
  plan: Plan;
  /** The smallest plan on which the same request would pass; null where none would do. */
  required_plan: Plan | null;
  /** Name of the limit, or of the feature. */
  resource: string;
  /** The feature that the plan lacks. */
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

/** `code`: what a system, driver or database calls the cause (`ECONNREFUSED`, `57P01`). */
export interface OutageOptions extends ErrorOptions {
  code?: string;
}

/** A part of the service cannot be used right now; the same request may pass later. */
export class Unavailable extends ServiceError {
  readonly code?: string | undefined;

  constructor(message: string, options: OutageOptions = {}) {
    super(503, 'unavailable', message, { retry_after: 5 }, options);
    this.code = options.code;
  }
}

/** What keeps data takes none right now: a disk is full or fails, or the object store refuses. */
export class StorageUnavailable extends ServiceError {
  readonly code?: string | undefined;

  constructor(message: string, options: OutageOptions = {}) {
    super(503, 'storage_unavailable', message, { retry_after: 30 }, options);
    this.code = options.code;
  }
}

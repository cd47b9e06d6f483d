/** The only file that writes error bodies. */
import { errorCode } from '../../lib/error-code.ts';
import { type ErrorExtra, InvalidInput, ServiceError, Unavailable } from '../../lib/errors.ts';
import { toRetryAfter } from '../../lib/retry-after.ts';
import type { Logger } from '../../log.ts';
import type { Answer } from '../request/exchange.ts';

/**
 * Network errors of components without their own error class, and statements that may succeed when repeated: canceled,
 * lock timeout, serialization conflict. Database outages are translated where they are thrown, see
 * `server/db/outage.ts`.
 */
const NETWORK_FAULTS = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'];
const PASSING = new Set([...NETWORK_FAULTS, '57014', '55P03', '40001', '40P01']);
/** U+0000 and unpaired surrogates. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;
const SQLSTATE_DATA = /^22[0-9A-Z]{3}$/;

/**
 * Turns any thrown value into an error that can be shown. Unknown errors become a plain 500, so no stack, SQL or
 * message of another program leaves the service.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = errorCode(error);
  if (code !== undefined && SQLSTATE_DATA.test(code)) {
    return new InvalidInput('the request contains a value that cannot be stored');
  }
  if (code !== undefined && PASSING.has(code)) {
    return new Unavailable('a part of the service is not available; try again', { cause: error });
  }
  return new ServiceError(500, 'internal', 'internal error', {}, { cause: error });
}

/** Turns any thrown value into an error that can be shown; the log gets the original. */
export function shownError(log: Logger, error: unknown, request_id: string, method: string): ServiceError {
  const shown = toServiceError(error);
  if (shown.status >= 500) {
    const level = shown.status === 500 ? 'error' : 'warn';
    log[level]({ err: shown.cause ?? shown, request_id, method }, 'request failed');
  }
  return shown;
}

/** An error as a response. */
export function errorAnswer(error: ServiceError, request_id: string, form: 'oauth' | 'own' = 'own'): Answer {
  const { status, error_class, message, extra } = error;
  const text = form === 'oauth' ? oauthText(error) : { error: message };
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="api"' } : {}),
      ...(extra.retry_after === undefined ? {} : { 'Retry-After': String(toRetryAfter(extra.retry_after)) }),
    },
    body: JSON.stringify({ ...text, error_class, request_id, ...shown(extra), ...extra.body }, storable),
  };
}

/**
 * An error message repeats names and values of the request; characters that many stores and parsers reject are
 * replaced.
 */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(UNSTORABLE, '\ufffd') : value;
}

const OAUTH_CODES = new Set(['invalid_request', 'invalid_grant', 'invalid_scope', 'unsupported_grant_type']);

/** @see RFC 6749, section 5.2: the codes, and the characters of a description */
function oauthText({ status, error_class, message }: ServiceError): { error: string; error_description: string } {
  const error_description = message.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, '?');
  return { error: oauthCode(status, error_class), error_description };
}

function oauthCode(status: number, error_class: string): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  return OAUTH_CODES.has(error_class) ? error_class : 'invalid_request';
}

function shown({ details, retry_after, reason, doc_url }: ErrorExtra): ErrorExtra {
  return {
    ...(details === undefined ? {} : { details: details.slice(0, 20) }),
    ...(retry_after === undefined ? {} : { retry_after: toRetryAfter(retry_after) }),
    ...(reason === undefined ? {} : { reason }),
    ...(doc_url === undefined ? {} : { doc_url }),
  };
}

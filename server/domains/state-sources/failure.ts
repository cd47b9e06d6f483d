import { ServiceError } from '../../lib/errors.ts';

/** Why a state was not fetched, in the words of this service. */
export interface FetchFailure {
  message: string;
  /** The state does not exist, or its bucket does not. */
  is_missing: boolean;
}

const MISSING = new Set(['not_found', 'no_such_bucket']);

/**
 * The failure that an error of a backend or of the reader describes; undefined for every other error, which is a fault
 * of this service. Their messages never contain text from the other side.
 *
 * @param late what to say if the time for the work ended
 */
export function describeFailure(error: unknown, late: string): FetchFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ServiceError) {
    return error.error_class === 'state_backend_error' ? { message: error.message, is_missing: false } : undefined;
  }
  if (error.name === 'StateBackendError') {
    const is_missing = 'reason' in error && MISSING.has(String(error.reason));
    return { message: error.message, is_missing };
  }
  if (error.name === 'StateReadError') return { message: error.message, is_missing: false };
  if (error.name === 'TimeoutError') return { message: late, is_missing: false };
  return undefined;
}

export function backendError(message: string, cause?: unknown): ServiceError {
  return new ServiceError(502, 'state_backend_error', message, {}, { cause });
}

import type { OperationId } from './contract.ts';
import { DpaApiError } from './errors.ts';
import type { Message } from './message.ts';

/** An attempt that is about to be sent. Events contain no credentials, query parameters or bodies. */
export interface RequestEvent {
  operation: OperationId;
  method: string;
  /** The path of the URL, with IDs and without the query. */
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** The same for every attempt of a call; the service logs it too. */
  request_id: string;
}

/** The outcome of an attempt. */
export interface ResponseEvent extends RequestEvent {
  /** null if there was no response. */
  status: number | null;
  duration_ms: number;
  /** `error_class` of the response, or the name of the thrown error; null on success. */
  error: string | null;
  /** Time until the next attempt; null if this was the last one. */
  retry_in_ms: number | null;
}

/** Callbacks for every attempt, for logs and metrics. Errors that a hook throws are ignored and never change a call. */
export interface Hooks {
  on_request?: (event: RequestEvent) => void;
  on_response?: (event: ResponseEvent) => void;
}

export interface Attempt {
  ended(outcome: { status: number; request_id: string } | { error: unknown; retry_in_ms: number | null }): void;
}

/** Reports the start of an attempt, and later its outcome. */
export function reportAttempt(hooks: Hooks, message: Message, attempt: number): Attempt {
  const { operation, method, url, request_id } = message;
  const event: RequestEvent = { operation, method, path: url.pathname, attempt, request_id };
  const started_ms = performance.now();
  notify(hooks.on_request, event);

  return {
    ended(outcome) {
      const duration_ms = Math.round(performance.now() - started_ms);
      const end =
        'error' in outcome
          ? { ...describeFailure(outcome.error), retry_in_ms: outcome.retry_in_ms }
          : { status: outcome.status, error: null, retry_in_ms: null };
      notify(hooks.on_response, { ...event, duration_ms, ...end });
    },
  };
}

function describeFailure(error: unknown): Pick<ResponseEvent, 'status' | 'error'> {
  if (error instanceof DpaApiError) return { status: error.status, error: error.error_class };
  return { status: null, error: error instanceof Error ? error.name : 'aborted' };
}

function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event);
  } catch {
    // An error in a hook must not fail the call.
  }
}

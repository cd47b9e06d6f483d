import type { OperationId } from './contract.ts';
import { DpaApiError } from './errors.ts';
import type { Message } from './message.ts';

/** A try that is about to be sent. No event holds a credential, a query or a body. */
export interface RequestEvent {
  operation: OperationId;
  method: string;
  /** Of the URL, below the host; ids stand in it, the query does not. */
  path: string;
  /** 1 for the first try. */
  attempt: number;
  /** The same for every try of a call; the service logs it too. */
  request_id: string;
}

/** How a try ended. */
export interface ResponseEvent extends RequestEvent {
  /** null when no answer came. */
  status: number | null;
  duration_ms: number;
  /** `error_class` of the answer, or the name of what was thrown; null for a success. */
  error: string | null;
  /** How long the client waits before the next try; null when this was the last. */
  retry_in_ms: number | null;
}

/** What hears of every try, for logs and metrics. What a hook throws is ignored: it never changes a call. */
export interface Hooks {
  on_request?: (event: RequestEvent) => void;
  on_response?: (event: ResponseEvent) => void;
}

export interface Attempt {
  ended(outcome: { status: number; request_id: string } | { error: unknown; retry_in_ms: number | null }): void;
}

/** Reports that a try begins, and later how it ended. */
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
    // A log that fails must not fail the call.
  }
}

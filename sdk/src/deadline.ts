export interface Deadline {
  /** Aborted on timeout or when the caller cancels. */
  signal: AbortSignal;
  isOver(): boolean;
  /** Removes the timer and the listener. */
  end(): void;
}

/** Combines timeout and cancellation: some supported runtimes do not have `AbortSignal.any`. */
export function startDeadline(timeout_ms: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, timeout_ms);
  const giveUp = () => controller.abort(caller?.reason);
  if (caller?.aborted) giveUp();
  caller?.addEventListener('abort', giveUp, { once: true });

  return {
    signal: controller.signal,
    isOver: () => over,
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', giveUp);
    },
  };
}

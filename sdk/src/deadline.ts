export interface Deadline {
  /** Aborted when the time is over or the caller gives up. */
  signal: AbortSignal;
  isOver(): boolean;
  /** Lets go of timer and caller. */
  end(): void;
}

/** One signal for both: `AbortSignal.any` is younger than some runtimes that this package supports. */
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

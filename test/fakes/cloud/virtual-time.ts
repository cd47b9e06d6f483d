/** A clock that only sleeping advances, and only when nothing else can run. */
export interface VirtualTime {
  clock_ms(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export function createVirtualTime(): VirtualTime {
  let now = 0;
  let scheduled = false;
  const sleepers: { at: number; wake: () => void }[] = [];

  function sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      sleepers.push({ at: now + ms, wake });
      schedule();
    });
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(advance);
  }

  function advance(): void {
    scheduled = false;
    sleepers.sort((a, b) => a.at - b.at);
    const next = sleepers.shift();
    if (next === undefined) return;
    now = Math.max(now, next.at);
    next.wake();
    if (sleepers.length > 0) schedule();
  }

  return { clock_ms: () => now, sleep };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Phase } from './http/index.ts';

/**
 * The started parts. Busy parts stop concurrently, so that one grace period covers them; resources they use are closed
 * afterwards.
 */
export class Running {
  phase: Phase = 'serving';
  readonly #drain_ms: number;
  readonly #busy: (() => Promise<unknown>)[] = [];
  readonly #held: (() => Promise<unknown>)[] = [];
  #stopped: Promise<void> | undefined;

  /** @param drain_ms how long to keep serving while not ready */
  constructor(drain_ms: number) {
    this.#drain_ms = drain_ms;
  }

  stopFirst(stop: () => Promise<unknown>): void {
    this.#busy.push(stop);
  }

  closeLast(close: () => Promise<unknown>): void {
    this.#held.push(close);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    this.phase = 'draining';
    if (this.#drain_ms > 0) await wait(this.#drain_ms);
    const ended = await Promise.allSettled(this.#busy.map((stop) => stop()));
    for (const close of this.#held.reverse()) ended.push(...(await Promise.allSettled([close()])));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, 'the service did not stop cleanly');
  }
}

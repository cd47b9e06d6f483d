import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Loop, Stoppable } from './types.ts';

/** Failures in a row that need attention; fewer resolve themselves, such as a restart of the database. */
const ALARMING = 10;

export interface LoopsDeps {
  loops: readonly Loop[];
  log: Logger;
  metrics: Metrics;
}

/** Runs each loop in this process, one run after the other, whatever other processes do. */
export function startLoops({ loops, log, metrics }: LoopsDeps): Stoppable {
  const stopping = new AbortController();
  const running = loops.map(repeat);

  async function repeat({ name, every_ms, run }: Loop): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let has_more = false;
      try {
        has_more = await run();
        failures = 0;
        metrics.sweeps.inc({ sweep: name, outcome: 'done' });
      } catch (error) {
        failures += 1;
        metrics.sweeps.inc({ sweep: name, outcome: 'failed' });
        if (failures === 1) log.warn({ err: error, loop: name }, 'recurring work failed; it runs again');
        if (failures === ALARMING) log.error({ err: error, loop: name }, 'recurring work keeps failing');
      }
      if (!has_more) await wait(every_ms, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

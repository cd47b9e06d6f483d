import type { Loop, Sweep } from '../../queue/index.ts';
import type { Schedules } from './service.ts';

/** How late a run can start because nobody looked. */
const FIRE_EVERY_MS = 500;
const HOUR_MS = 3_600_000;

export function scheduleLoops({ fire }: Schedules): Loop[] {
  return [{ name: 'schedules.fire', every_ms: FIRE_EVERY_MS, run: fire }];
}

export function scheduleSweeps({ deleteOldFirings }: Schedules): Sweep[] {
  return [{ name: 'schedules.delete-old-firings', every_ms: HOUR_MS, run: deleteOldFirings }];
}

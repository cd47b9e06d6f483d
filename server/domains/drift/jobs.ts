import type { Sweep } from '../../queue/index.ts';
import type { Drift } from './service.ts';

const HOUR_MS = 3_600_000;

export function driftSweeps({ snapshots, ignoreRules }: Drift): Sweep[] {
  return [
    { name: 'drift.delete-old', every_ms: HOUR_MS, run: snapshots.deleteOld },
    { name: 'drift.delete-ended-ignore-rules', every_ms: HOUR_MS, run: ignoreRules.deleteEnded },
  ];
}

import type { Sweep } from '../../queue/index.ts';
import type { Traces } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function traceSweeps({ maintenance }: Traces): Sweep[] {
  return [
    { name: 'traces.fail-stuck', every_ms: MINUTE_MS, run: maintenance.failStuck },
    { name: 'traces.delete-old', every_ms: HOUR_MS, run: maintenance.deleteOld },
    { name: 'traces.delete-orphans', every_ms: 24 * HOUR_MS, run: maintenance.deleteOrphans },
  ];
}

import type { Sweep } from '../../queue/index.ts';
import type { Scans } from './service.ts';

const HOUR_MS = 3_600_000;

export function scanSweeps(scans: Scans): Sweep[] {
  return [{ name: 'scans.delete-expired', every_ms: HOUR_MS, run: scans.deleteExpired }];
}

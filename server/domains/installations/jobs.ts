import type { Sweep } from '../../queue/index.ts';
import type { Installations } from './service.ts';

const HOUR_MS = 3_600_000;

export function installationSweeps({ deleteExpiredStates }: Installations): Sweep[] {
  return [{ name: 'installations.delete-expired-states', every_ms: HOUR_MS, run: deleteExpiredStates }];
}

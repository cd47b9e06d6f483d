import type { Sweep } from '../../queue/index.ts';
import type { Federation } from './service.ts';

const HOUR_MS = 3_600_000;

export function federationSweeps(federation: Federation): Sweep[] {
  return [{ name: 'federation.delete-exchanges', every_ms: HOUR_MS, run: federation.deleteOldExchanges }];
}

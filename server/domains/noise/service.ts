import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { AuditWriter } from '../audit/index.ts';
import { createCounts } from './counts-service.ts';
import { createPatterns } from './patterns-service.ts';
import { createSuppressions } from './suppressions-service.ts';

export interface NoiseDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'log' | 'now'> {
  audit: Pick<AuditWriter, 'record'>;
}

/** Recurring patterns in an organization's plans, their settings, and suppressions. */
export function createNoise(deps: NoiseDeps) {
  const counts = createCounts(deps);
  const patterns = createPatterns({ ...deps, counts });
  const suppressions = createSuppressions(deps);

  async function deleteOld(): Promise<void> {
    await counts.deleteOld();
    await suppressions.deleteEnded();
  }

  return {
    record: counts.record,
    settleAll: counts.settleAll,
    deleteOld,
    liveSuppressions: suppressions.listLive,
    patterns,
    suppressions,
  };
}

export type Noise = ReturnType<typeof createNoise>;

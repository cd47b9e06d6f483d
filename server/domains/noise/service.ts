import type { Db, OrgDatabase } from '../../db/index.ts';
import type { Logger } from '../../log.ts';
import type { AuditWriter } from '../audit/index.ts';
import { createCounts } from './counts-service.ts';
import { createPatterns } from './patterns-service.ts';
import { createSuppressions } from './suppressions-service.ts';

export interface NoiseDeps {
  db: OrgDatabase;
  /** Uses the role that can delete expired rows. */
  sweep_db: Db;
  audit: Pick<AuditWriter, 'record'>;
  log: Pick<Logger, 'warn'>;
  now: () => Date;
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

import type { Sweep } from '../../queue/index.ts';
import type { Llm } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export function llmSweeps({ quotas, validations }: Llm): Sweep[] {
  return [
    { name: 'llm.release-forgotten', every_ms: MINUTE_MS, run: quotas.releaseForgotten },
    { name: 'llm.delete-old-buckets', every_ms: HOUR_MS, run: quotas.deleteOldBuckets },
    { name: 'llm.delete-old-validations', every_ms: HOUR_MS, run: validations.deleteOldCounts },
  ];
}

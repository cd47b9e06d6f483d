import type { Sweep } from '../../queue/index.ts';
import type { PullRequests } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function pullRequestSweeps({ upkeep }: PullRequests): Sweep[] {
  return [
    { name: 'pull-requests.remind', every_ms: MINUTE_MS, run: upkeep.remind },
    { name: 'pull-requests.delete-old', every_ms: HOUR_MS, run: upkeep.deleteOld },
    { name: 'pull-requests.delete-payloads', every_ms: HOUR_MS, run: upkeep.deletePayloads },
  ];
}

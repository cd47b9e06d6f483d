import type { Sweep } from '../../queue/index.ts';
import type { PullRequests } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function pullRequestSweeps({ maintenance }: PullRequests): Sweep[] {
  return [
    { name: 'pull-requests.remind', every_ms: MINUTE_MS, run: maintenance.requeueForgotten },
    { name: 'pull-requests.delete-old', every_ms: HOUR_MS, run: maintenance.deleteOld },
    { name: 'pull-requests.delete-payloads', every_ms: HOUR_MS, run: maintenance.deletePayloads },
  ];
}

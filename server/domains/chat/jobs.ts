import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { Chat } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Answering is mostly waiting for Slack. */
const CONCURRENCY = 4;

export function chatJobs({ handling }: Chat): JobDefinition[] {
  return [{ queue: 'chat', concurrency: CONCURRENCY, attempts: 5, run: handling.handle }];
}

export function chatSweeps({ handling }: Chat): Sweep[] {
  return [
    { name: 'chat.handle-again', every_ms: MINUTE_MS, run: handling.requeueLost },
    { name: 'chat.delete-old-requests', every_ms: HOUR_MS, run: handling.deleteOld },
  ];
}

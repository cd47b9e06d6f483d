import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { Notifications } from './service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Decisions are short transactions; sending is mostly waiting. */
const CONCURRENCY = { decide: 2, send: 8 };

export function notificationJobs({ decisions, deliveries }: Notifications): JobDefinition[] {
  return [
    { queue: 'notify', concurrency: CONCURRENCY.decide, attempts: 5, run: decisions.decide },
    { queue: 'notify-send', concurrency: CONCURRENCY.send, attempts: 3, run: deliveries.sendDue },
  ];
}

export function notificationSweeps({ decisions, deliveries, maintenance }: Notifications): Sweep[] {
  return [
    { name: 'notifications.decide-again', every_ms: MINUTE_MS, run: decisions.requeueLost },
    { name: 'notifications.send-again', every_ms: MINUTE_MS, run: deliveries.requeueLost },
    { name: 'notifications.delete-old', every_ms: HOUR_MS, run: maintenance.deleteOld },
  ];
}

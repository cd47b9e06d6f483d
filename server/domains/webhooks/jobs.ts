import type { JobDefinition, Sweep } from '../../queue/index.ts';
import type { Webhooks } from './service.ts';

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const HOUR_MS = 3_600_000;

/** Sending is mostly waiting for the server. */
const CONCURRENCY = 8;

export function webhookJobs({ outbound }: Webhooks): JobDefinition[] {
  return [{ queue: 'webhook', concurrency: CONCURRENCY, attempts: 3, run: outbound.sendDue }];
}

export function webhookSweeps({ deliveries, tokens, outbound, sealTargets }: Webhooks): Sweep[] {
  return [
    { name: 'webhooks.ask-again', every_ms: MINUTE_MS, run: deliveries.requeueStalled },
    { name: 'webhooks.send-again', every_ms: MINUTE_MS, run: outbound.requeueLost },
    { name: 'webhooks.recheck-tokens', every_ms: FIVE_MINUTES_MS, run: tokens.recheckAll },
    { name: 'webhooks.delete-old-deliveries', every_ms: HOUR_MS, run: deliveries.deleteOld },
    // Processes of the previous release may still write some during a rollout.
    { name: 'webhooks.seal-targets', every_ms: HOUR_MS, run: sealTargets },
  ];
}

import type { Sweep } from '../../queue/index.ts';
import type { Webhooks } from './service.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const HOUR_MS = 3_600_000;

export function webhookSweeps({ deliveries, tokens }: Webhooks): Sweep[] {
  return [
    { name: 'webhooks.ask-again', every_ms: MINUTE_MS, run: deliveries.askAgain },
    { name: 'webhooks.recheck-tokens', every_ms: QUARTER_MS, run: tokens.recheckAll },
    { name: 'webhooks.delete-old-deliveries', every_ms: HOUR_MS, run: deliveries.deleteOld },
  ];
}

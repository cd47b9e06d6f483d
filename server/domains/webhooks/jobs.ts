import type { Sweep } from '../../queue/index.ts';
import type { Webhooks } from './service.ts';

const HOUR_MS = 3_600_000;

export function webhookSweeps({ deliveries }: Webhooks): Sweep[] {
  return [{ name: 'webhooks.delete-old-deliveries', every_ms: HOUR_MS, run: deliveries.deleteOld }];
}

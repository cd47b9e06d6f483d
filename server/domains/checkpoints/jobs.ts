import type { Sweep } from '../../queue/index.ts';
import type { Checkpoints } from './service.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

export function checkpointSweeps({ creation, copies, delivery }: Checkpoints): Sweep[] {
  return [
    { name: 'checkpoints.create', every_ms: HOUR_MS, run: creation.createDue },
    { name: 'checkpoints.copy', every_ms: MINUTE_MS, run: copies.copyDue },
    { name: 'checkpoints.deliver', every_ms: MINUTE_MS, run: delivery.deliverDue },
  ];
}

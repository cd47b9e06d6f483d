import type { Sweep } from '../../queue/index.ts';
import type { Noise } from './service.ts';

const SETTLE_MS = 5_000;
const HOUR_MS = 3_600_000;

export function noiseSweeps(noise: Noise): Sweep[] {
  return [
    { name: 'noise.settle', every_ms: SETTLE_MS, run: noise.settleAll },
    { name: 'noise.delete-old', every_ms: HOUR_MS, run: noise.deleteOld },
  ];
}

import type { DomainParts } from '../../contract/domain-parts.ts';
import { NOISE_AUDIT_EVENTS } from './audit-events.ts';
import { noiseSweeps } from './jobs.ts';
import { noiseRoutes } from './routes.ts';
import type { Noise } from './service.ts';

export function noiseParts(noise: Noise) {
  return {
    domain: 'noise',
    handlers: noiseRoutes(noise),
    sweeps: noiseSweeps(noise),
    audit_events: NOISE_AUDIT_EVENTS,
  } satisfies DomainParts;
}

import type { DomainParts } from '../../contract/domain-parts.ts';
import { scanSweeps } from './jobs.ts';
import { scanRoutes } from './routes.ts';
import type { Scans } from './service.ts';

export function scanParts(scans: Scans) {
  return {
    domain: 'scans',
    handlers: scanRoutes(scans),
    sweeps: scanSweeps(scans),
  } satisfies DomainParts;
}

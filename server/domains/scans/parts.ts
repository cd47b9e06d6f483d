import type { DomainParts } from '../../contract/domain-parts.ts';
import { scanSweeps } from './jobs.ts';
import { scanRoutes } from './routes.ts';
import type { Scans } from './service.ts';
import { countUnfinishedScans } from './store.ts';

export function scanParts(scans: Scans) {
  return {
    domain: 'scans',
    handlers: scanRoutes(scans),
    sweeps: scanSweeps(scans),
    limits: ['concurrent_scans'],
    usage: { concurrent_scans: countUnfinishedScans },
  } satisfies DomainParts;
}

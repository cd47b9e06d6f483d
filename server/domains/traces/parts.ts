import type { DomainParts } from '../../contract/domain-parts.ts';
import { traceSweeps } from './jobs.ts';
import { traceRoutes } from './routes.ts';
import type { Traces } from './service.ts';

export function traceParts(traces: Traces) {
  return {
    domain: 'traces',
    handlers: traceRoutes(traces),
    sweeps: traceSweeps(traces),
  } satisfies DomainParts;
}

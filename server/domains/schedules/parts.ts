import type { DomainParts } from '../../contract/domain-parts.ts';
import { SCHEDULE_AUDIT_EVENTS } from './audit-events.ts';
import { scheduleLoops, scheduleSweeps } from './jobs.ts';
import { schedulePathChecks, scheduleRoutes } from './routes.ts';
import type { Schedules } from './service.ts';
import { countSchedules, findShortestInterval } from './store.ts';

export function scheduleParts(schedules: Schedules) {
  return {
    domain: 'schedules',
    handlers: scheduleRoutes(schedules),
    path_checks: schedulePathChecks(schedules),
    sweeps: scheduleSweeps(schedules),
    loops: scheduleLoops(schedules),
    audit_events: SCHEDULE_AUDIT_EVENTS,
    limits: ['schedules', 'schedule_interval'],
    usage: { schedules: countSchedules, schedule_interval: findShortestInterval },
  } satisfies DomainParts;
}

import type { DomainParts } from '../../contract/domain-parts.ts';
import { NOTIFICATION_AUDIT_EVENTS } from './audit-events.ts';
import { notificationJobs, notificationSweeps } from './jobs.ts';
import { notificationPathChecks, notificationRoutes } from './routes.ts';
import { SEALED_NOTIFICATIONS } from './seals.ts';
import type { Notifications } from './service.ts';

export function notificationParts(notifications: Notifications) {
  return {
    domain: 'notifications',
    handlers: notificationRoutes(notifications),
    path_checks: notificationPathChecks(notifications),
    jobs: notificationJobs(notifications),
    sweeps: notificationSweeps(notifications),
    sealed_columns: SEALED_NOTIFICATIONS,
    audit_events: NOTIFICATION_AUDIT_EVENTS,
    settings: {
      default_notify_channel: null,
      notify_quiet_hours: null,
      notify_digest_at: null,
      notify_timezone: 'UTC',
    },
  } satisfies DomainParts;
}

import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { ScansStarted } from '../cloud-scans/index.ts';
import type { Schedules } from './service.ts';
import type { Schedule } from './types.ts';

type ScheduleOperations =
  | 'listSchedules'
  | 'createSchedule'
  | 'getSchedule'
  | 'updateSchedule'
  | 'deleteSchedule'
  | 'runSchedule';

export function scheduleRoutes(schedules: Schedules): Pick<Handlers, ScheduleOperations> {
  return {
    async listSchedules({ org, query: { limit, offset } }) {
      const page = await schedules.list(org.id, { limit, offset });
      return { status: 200, body: { schedules: page.schedules.map(scheduleRecord), total: page.total, limit, offset } };
    },

    async createSchedule({ principal, org, body, once }) {
      return once(
        (schedule: Schedule) => {
          const Location = `/api/v2/orgs/${org.id}/schedules/${schedule.id}`;
          return { status: 201, body: scheduleRecord(schedule), headers: { Location } };
        },
        (keep) => schedules.create(principal, org.id, body, keep),
      );
    },

    async getSchedule({ org, path }) {
      return { status: 200, body: scheduleRecord(await schedules.get(org.id, path.sid)) };
    },

    async updateSchedule({ principal, org, path, body, assertKnown }) {
      const schedule = await schedules.update(principal, org.id, path.sid, body, (present) =>
        assertKnown(scheduleRecord(present)),
      );
      return { status: 200, body: scheduleRecord(schedule) };
    },

    async deleteSchedule({ principal, org, path }) {
      await schedules.remove(principal, org.id, path.sid);
      return { status: 204 };
    },

    async runSchedule({ principal, org, path, once }) {
      return once(
        (started: ScansStarted) => ({ status: 202, body: started }),
        (keep) => schedules.run(principal, org.id, path.sid, keep),
      );
    },
  };
}

/** Records that must exist before the body of a request is validated. */
export function schedulePathChecks({ get }: Pick<Schedules, 'get'>) {
  return {
    updateSchedule: ({ org_id, path }: { org_id: string; path: Record<string, string> }) =>
      get(org_id, path['sid'] ?? ''),
  };
}

function scheduleRecord(schedule: Schedule) {
  return pickFields(schedule, [
    'id',
    'org_id',
    'name',
    'schedule',
    'cloud_account_id',
    'enabled',
    'filter_regions',
    'notify_chat_channel',
    'notify_webhook_config_ids',
    'consecutive_failures',
    'disabled_reason',
    'last_error',
    'last_run_at',
    'next_run_at',
    'created_at',
    'created_by',
    'updated_at',
  ]);
}

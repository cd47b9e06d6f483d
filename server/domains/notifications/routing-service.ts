import type { Db } from '../../db/index.ts';
import { listProviders, listRoutes } from './targets-store.ts';
import type { Route, ScheduleTargets } from './types.ts';

/**
 * The targets of an event when it is decided, not when it happened.
 *
 * @param schedule null for what no schedule started; one without targets uses those of the organization
 * @param default_channel the channel of the organization's settings
 */
export async function findRoutes(
  trx: Db,
  org_id: string,
  {
    schedule,
    default_channel,
  }: { schedule: (ScheduleTargets & { id: string }) | null; default_channel: string | null },
): Promise<Route[]> {
  if (schedule !== null && (schedule.channel !== null || schedule.webhook_config_ids.length > 0)) {
    const { id: schedule_id, channel, webhook_config_ids } = schedule;
    const providers = await listProviders(trx, org_id, webhook_config_ids);
    const configs = webhook_config_ids.filter((id) => providers.has(id));
    return [
      ...toChannel(channel, schedule_id),
      ...configs.map((id) => (providers.get(id) === 'generic' ? toWebhook(id, schedule_id) : toIssue(id, schedule_id))),
    ];
  }
  const routes = await listRoutes(trx, org_id);
  const is_known = routes.some(({ kind, channel }) => kind === 'slack' && channel === default_channel);
  return is_known ? routes : [...routes, ...toChannel(default_channel, null)];
}

function toChannel(channel: string | null, schedule_id: string | null): Route[] {
  if (channel === null) return [];
  const rest = { target_id: null, webhook_config_id: null, schedule_id };
  return [{ key: `channel:${channel}`, kind: 'slack', min_level: 'low', channel, ...rest }];
}

function toWebhook(webhook_config_id: string, schedule_id: string): Route {
  const rest = { target_id: null, channel: null, schedule_id };
  return { key: `webhook:${webhook_config_id}`, kind: 'webhook', min_level: 'none', webhook_config_id, ...rest };
}

/** A repository gets one issue for each schedule. */
function toIssue(webhook_config_id: string, schedule_id: string): Route {
  const rest = { target_id: null, channel: null, webhook_config_id, schedule_id };
  return { key: `issue:${webhook_config_id}:${schedule_id}`, kind: 'issue', min_level: 'none', ...rest };
}

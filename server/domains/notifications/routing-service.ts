import type { Db } from '../../db/index.ts';
import { listRoutes } from './targets-store.ts';
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
  { schedule, default_channel }: { schedule: ScheduleTargets | null; default_channel: string | null },
): Promise<Route[]> {
  if (schedule !== null && (schedule.channel !== null || schedule.webhook_config_ids.length > 0)) {
    return [...toChannel(schedule.channel), ...schedule.webhook_config_ids.map(toWebhook)];
  }
  const routes = await listRoutes(trx, org_id);
  const is_known = routes.some(({ kind, channel }) => kind === 'slack' && channel === default_channel);
  return is_known ? routes : [...routes, ...toChannel(default_channel)];
}

function toChannel(channel: string | null): Route[] {
  if (channel === null) return [];
  const rest = { target_id: null, webhook_config_id: null };
  return [{ key: `channel:${channel}`, kind: 'slack', min_level: 'low', channel, ...rest }];
}

function toWebhook(webhook_config_id: string): Route {
  const rest = { target_id: null, channel: null };
  return { key: `webhook:${webhook_config_id}`, kind: 'webhook', min_level: 'none', webhook_config_id, ...rest };
}

import type { Db } from '../../db/index.ts';
import type { WebhookProvider } from '../webhooks/index.ts';
import { listProviders, listRoutes } from './targets-store.ts';
import type { Route, ScheduleTargets } from './types.ts';

interface RoutedSchedule extends ScheduleTargets {
  id: string;
}

/**
 * The targets of an event when it is decided, not when it happened: those of all its schedules, each once. Those of the
 * organization are added if it has no schedule, or one without targets of its own.
 *
 * @param schedules whose targets hear of the event; if two name the same channel, the first one's name is kept
 * @param default_channel the channel of the organization's settings
 */
export async function findRoutes(
  trx: Db,
  org_id: string,
  { schedules, default_channel }: { schedules: readonly RoutedSchedule[]; default_channel: string | null },
): Promise<Route[]> {
  const providers = await listProviders(
    trx,
    org_id,
    schedules.flatMap(({ webhook_config_ids }) => webhook_config_ids),
  );
  const own = schedules.flatMap((schedule) => listOwn(schedule, providers));
  const is_covered = schedules.length > 0 && schedules.every(hasTargets);
  const shared = is_covered ? [] : [...(await listRoutes(trx, org_id)), ...toChannel(default_channel, null)];
  return withoutRepeated([...own, ...shared]);
}

function hasTargets({ channel, webhook_config_ids }: ScheduleTargets): boolean {
  return channel !== null || webhook_config_ids.length > 0;
}

function listOwn(
  { id: schedule_id, channel, webhook_config_ids }: RoutedSchedule,
  providers: ReadonlyMap<string, WebhookProvider>,
): Route[] {
  const configs = webhook_config_ids.filter((id) => providers.has(id));
  return [
    ...toChannel(channel, schedule_id),
    ...configs.map((id) => (providers.get(id) === 'generic' ? toWebhook(id, schedule_id) : toIssue(id, schedule_id))),
  ];
}

/** Keeps the first of the routes that lead to the same place. */
function withoutRepeated(routes: readonly Route[]): Route[] {
  return [...new Map(routes.toReversed().map((route) => [findPlace(route), route])).values()].reverse();
}

/** A channel or a server can be a target of the organization and of schedules. */
function findPlace({ key, kind, channel, webhook_config_id }: Route): string {
  if (kind === 'slack') return `slack:${channel}`;
  return kind === 'webhook' ? `webhook:${webhook_config_id}` : key;
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

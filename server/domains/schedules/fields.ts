import type { ScheduleChanges, ScheduleFields, ScheduleInput } from './types.ts';

/** The fields of a new schedule. */
export function toFields(input: ScheduleInput): ScheduleFields {
  return {
    name: input.name.trim(),
    schedule: cleanExpression(input.schedule),
    cloud_account_id: input.cloud_account_id ?? null,
    enabled: input.enabled ?? true,
    filter_regions: input.filter_regions ?? [],
    notify_chat_channel: input.notify_chat_channel ?? null,
    notify_webhook_config_ids: input.notify_webhook_config_ids ?? [],
  };
}

/** The fields of a schedule after a change; null clears a field. */
export function applyChanges(before: ScheduleFields, changes: ScheduleChanges): ScheduleFields {
  const keep = <Value>(change: Value | undefined, value: Value) => (change === undefined ? value : change);
  return {
    name: changes.name?.trim() ?? before.name,
    schedule: changes.schedule === undefined ? before.schedule : cleanExpression(changes.schedule),
    cloud_account_id: keep(changes.cloud_account_id, before.cloud_account_id),
    enabled: changes.enabled ?? before.enabled,
    filter_regions: keep(changes.filter_regions, before.filter_regions) ?? [],
    notify_chat_channel: keep(changes.notify_chat_channel, before.notify_chat_channel),
    notify_webhook_config_ids: keep(changes.notify_webhook_config_ids, before.notify_webhook_config_ids) ?? [],
  };
}

export function haveSameFields(before: ScheduleFields, after: ScheduleFields): boolean {
  return JSON.stringify(toFields(before)) === JSON.stringify(toFields(after));
}

/** Whether the same channel and webhook configurations are notified. */
export function haveSameTargets(before: ScheduleFields, after: ScheduleFields): boolean {
  const list = ({ notify_chat_channel, notify_webhook_config_ids }: ScheduleFields) =>
    JSON.stringify([notify_chat_channel, notify_webhook_config_ids]);
  return list(before) === list(after);
}

/** One space between the fields of an expression. */
function cleanExpression(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

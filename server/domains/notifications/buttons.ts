import type { ClaimedThread } from './threads-store.ts';
import type { MessageButton, ThreadAction } from './types.ts';

const LABELS: Readonly<Record<ThreadAction, string>> = {
  scan_again: 'Scan again',
  acknowledge: 'Acknowledge',
  snooze: 'Snooze for 7 days',
  ignore: 'Ignore …',
};

/** What people can do about the drift of a message; nothing once it is gone. What was done before can be repeated in vain. */
export function listButtons(
  { resolved_at }: Pick<ClaimedThread, 'resolved_at'>,
  sign: (action_id: ThreadAction) => string,
): MessageButton[] {
  if (resolved_at !== null) return [];
  const actions = Object.entries(LABELS) as [ThreadAction, string][];
  return actions.map(([action_id, label]) => ({ action_id, label, value: sign(action_id) }));
}

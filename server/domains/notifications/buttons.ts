import type { StoredEvent } from './events-store.ts';
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

/** What people can do about an analysis from its message. */
export function listAnalysisButtons(
  { type, data }: Pick<StoredEvent, 'type' | 'data'>,
  sign: (scan_run_id: string) => string,
): MessageButton[] {
  const { scan_run_id } = (data ?? {}) as { scan_run_id?: string | null };
  const is_analysis = type === 'analysis.completed' || type === 'analysis.approved';
  if (!is_analysis || typeof scan_run_id !== 'string') return [];
  return [{ action_id: 'suppress', label: 'Suppress noise …', value: sign(scan_run_id) }];
}

/**
 * Decides what a snapshot means for the issue of a schedule. An issue shows a state, so it follows what the schedule's
 * own scans see, also if another schedule has seen it before; other messages follow the steps of an account.
 */
import { compareLevels } from '../../../engine/index.ts';
import { isResolved, type Thread, type ThreadPlan, type ThreadStep } from './thread.ts';
import type { AccountDrift, DeliveryAction } from './types.ts';

/**
 * @param thread that of the issue; undefined before the first drift
 * @returns null if the issue does not change
 */
export function planIssue(
  thread: Thread | undefined,
  { account, step, at, is_silent = false }: ThreadStep,
): ThreadPlan | null {
  if (step === 'stale' || step === 'held') return null;
  const accounts = thread === undefined || isResolved(thread) ? [] : thread.accounts;
  const known = accounts.find(({ cloud_account_id }) => cloud_account_id === account.cloud_account_id);
  const is_open = known?.status === 'open';
  if (!is_open && account.status === 'resolved') return null;
  // What could not be written is written after the next scan.
  if (is_open && step === 'unchanged' && account.status === 'open' && thread?.is_current === true) return null;
  const shown = known !== undefined && is_open ? { ...account, opened_at: known.opened_at } : account;
  const next = known === undefined ? [...accounts, shown] : accounts.map((one) => (one === known ? shown : one));
  return {
    thread: { id: thread?.id ?? null, opened_at: thread?.opened_at ?? at, accounts: next },
    action: findAction(thread, next, {
      is_worse: !is_silent && (step === 'worse' || (!is_open && isDangerous(account))),
    }),
  };
}

function findAction(
  thread: Thread | undefined,
  accounts: readonly AccountDrift[],
  { is_worse }: { is_worse: boolean },
): DeliveryAction {
  if (isResolved({ accounts })) return 'resolve';
  if (thread === undefined || !thread.is_sent || isResolved(thread)) return 'open';
  return is_worse ? 'alert' : 'update';
}

function isDangerous({ risk_level }: AccountDrift): boolean {
  return compareLevels(risk_level, 'high') >= 0;
}

/** Decides what a step of an account means for one target: a message of its own, a place in another one, or nothing. */
import { compareLevels, type RiskLevel } from '../../../engine/index.ts';
import type { Step } from './episode.ts';
import type { AccountDrift, DeliveryAction, RouteKind } from './types.ts';

/** Accounts whose differences open within this time share a message. */
export const GROUP_MS = 300_000;

/** A message at a target, with the accounts that it is about. */
export interface Thread {
  id: string;
  opened_at: Date;
  /** Whether the message was posted. */
  is_sent: boolean;
  /** Whether the message shows the last revision. */
  is_current: boolean;
  accounts: readonly AccountDrift[];
}

export interface ThreadStep {
  account: AccountDrift;
  step: Step;
  at: Date;
  /** Somebody snoozed the drift: posted messages are brought up to date, which notifies nobody. */
  is_silent?: boolean;
}

/** The changes that follow; `thread` without an ID starts a new one. */
export interface ThreadPlan {
  thread: Pick<Thread, 'opened_at' | 'accounts'> & { id: string | null };
  /** Null if nothing is sent. */
  action: DeliveryAction | null;
}

/**
 * @param threads the open threads of the target, newest first
 * @returns null if the target does not hear of the step
 */
export function planThread(
  threads: readonly Thread[],
  { kind, min_level }: { kind: RouteKind; min_level: RiskLevel },
  { account, step, at, is_silent = false }: ThreadStep,
): ThreadPlan | null {
  if (step === 'stale' || step === 'held' || step === 'unchanged') return null;
  const own = threads.find(({ accounts }) => findOpen(accounts, account) !== undefined);
  if (own !== undefined) {
    const silent = canUpdate(own, kind) ? 'update' : null;
    const action = is_silent ? silent : continueThread(own, kind, account, step);
    return { thread: withAccount(own, account), action };
  }
  if (is_silent || step === 'resolved' || compareLevels(account.risk_level, min_level) < 0) return null;
  const shared = threads.find((thread) => !thread.is_sent || at.getTime() - thread.opened_at.getTime() <= GROUP_MS);
  if (shared !== undefined) return { thread: withAccount(shared, account), action: joinThread(shared, kind, account) };
  return { thread: { id: null, opened_at: at, accounts: [account] }, action: 'open' };
}

/** Whether every difference that a thread tells of is gone. */
export function isResolved({ accounts }: Pick<Thread, 'accounts'>): boolean {
  return accounts.every(({ status }) => status === 'resolved');
}

/** The highest level of a thread. */
export function findLevel({ accounts }: Pick<Thread, 'accounts'>): RiskLevel {
  return accounts.reduce<RiskLevel>(
    (level, { risk_level }) => (compareLevels(risk_level, level) > 0 ? risk_level : level),
    'none',
  );
}

/** Only a message at Slack and an issue can be changed after they were posted. */
export function keepsMessage(kind: RouteKind): boolean {
  return kind === 'slack' || kind === 'issue';
}

function continueThread(
  thread: Thread,
  kind: RouteKind,
  account: AccountDrift,
  step: Exclude<Step, 'stale' | 'held' | 'unchanged'>,
): DeliveryAction | null {
  if (step === 'resolved' && isResolved(withAccount(thread, account))) return 'resolve';
  if (step === 'worse') return 'alert';
  return canUpdate(thread, kind) ? 'update' : null;
}

/** An update of a posted message notifies nobody, which is not enough for a dangerous difference. */
function joinThread(thread: Thread, kind: RouteKind, { risk_level }: AccountDrift): DeliveryAction | null {
  if (compareLevels(risk_level, 'high') >= 0) return 'alert';
  return canUpdate(thread, kind) ? 'update' : 'alert';
}

/** A message that was not posted yet, or whose posting failed, can still be changed. */
function canUpdate({ is_sent }: Thread, kind: RouteKind): boolean {
  return !is_sent || keepsMessage(kind);
}

/** An account that opens again gets a new place; its old one stays resolved. */
function withAccount(
  { id, opened_at, accounts }: Thread,
  account: AccountDrift,
): Pick<Thread, 'id' | 'opened_at' | 'accounts'> {
  const open = findOpen(accounts, account);
  if (open === undefined) return { id, opened_at, accounts: [...accounts, account] };
  const updated = { ...account, opened_at: open.opened_at };
  return { id, opened_at, accounts: accounts.map((one) => (one === open ? updated : one)) };
}

function findOpen(accounts: readonly AccountDrift[], { cloud_account_id }: AccountDrift): AccountDrift | undefined {
  return accounts.find((one) => one.cloud_account_id === cloud_account_id && one.status === 'open');
}

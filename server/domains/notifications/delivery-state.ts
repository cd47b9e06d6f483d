/** What a delivery still has to show of its thread, and what the thread shows after it. */
import type { ClaimedDelivery } from './deliveries-store.ts';
import { describeStep } from './message.ts';
import { keepsMessage } from './thread.ts';
import type { ClaimedThread, SentState } from './threads-store.ts';
import type { SendOutcome } from './types.ts';

/** Whether an earlier delivery, which shows the thread as it was then, has shown the same. */
export function isShown(claimed: ClaimedDelivery, thread: ClaimedThread): boolean {
  const { sent_revision, posted_revision, notified_revisions } = thread;
  const revision = claimed.revision ?? 0;
  if (!notifiesPeople(claimed)) return sent_revision !== null && sent_revision >= revision;
  return Math.max(posted_revision ?? 0, notified_revisions[claimed.cloud_account_id ?? ''] ?? 0) >= revision;
}

/** An issue that is opened again exists already. */
function notifiesPeople({ action, target_kind }: ClaimedDelivery): boolean {
  return action === 'alert' || action === 'resolve' || (action === 'open' && target_kind === 'issue');
}

/** The line below a message that was posted before; null if nobody is notified. */
export function describeNews(claimed: ClaimedDelivery, { accounts, sent_revision }: ClaimedThread) {
  const account = accounts.findLast(({ cloud_account_id }) => cloud_account_id === claimed.cloud_account_id);
  if (account === undefined || sent_revision === null || !notifiesPeople(claimed)) return null;
  return describeStep(account);
}

/** What the posted message shows from now on; null if nothing was posted. */
export function toSent(
  { revision, sent_revision, posted_revision, notified_revisions, ref }: ClaimedThread,
  claimed: ClaimedDelivery,
  outcome: SendOutcome,
): SentState | null {
  if (outcome.status !== 'delivered' || outcome.is_skipped === true) return null;
  const { target_kind, cloud_account_id } = claimed;
  const is_whole = sent_revision === null || !keepsMessage(target_kind);
  const notified = outcome.is_found === true ? (claimed.revision ?? revision) : revision;
  const is_notified = !is_whole && cloud_account_id !== null && notifiesPeople(claimed);
  return {
    sent_revision: revision,
    posted_revision: is_whole ? notified : posted_revision,
    notified_revisions: is_notified ? { ...notified_revisions, [cloud_account_id]: notified } : notified_revisions,
    ref: outcome.ref ?? ref,
  };
}

import { dropTrailing, escapeInvisible } from '../../../engine/index.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import { insertPending } from './deliveries-store.ts';
import type { DispatchDeps } from './dispatch-service.ts';
import { type PreparedMail, sealMail } from './seals.ts';

const ROUTE = { target_id: null, kind: 'email' as const, channel: null };
const EVENT = 'membership.invited';

export interface InvitesDeps extends Pick<ServiceDeps, 'sealer' | 'now'>, Pick<DispatchDeps, 'enqueueDelivery'> {
  /** Null if the deployment sends no email. */
  mail: object | null;
  base_urls: BaseUrls;
}

/** An invitation with the secret of its link. */
export interface InviteFacts {
  org_id: string;
  org_name: string;
  email: string;
  invited_by: string;
  role: string;
  expires_at: Date;
  /** Path of the page on which the invited person accepts, with the secret. */
  accept_path: string;
}

/** Sends invitations by email, if the deployment has a mail server and a web UI. */
export function createInvites({ mail, base_urls, sealer, enqueueDelivery, now }: InvitesDeps) {
  return async function invite(trx: Db, facts: InviteFacts): Promise<void> {
    if (mail === null || base_urls.app_url === null) return;
    const { org_id } = facts;
    const [id, at] = [newId(), now()];
    const mail_ct = sealMail(sealer, { org_id, id }, writeInvitation(facts, base_urls.app_url));
    const nothing = { event_id: null, thread_id: null, revision: null, cloud_account_id: null };
    const delivery = { id, event: EVENT, action: 'notice' as const, mail_ct, created_at: at, next_attempt_at: at };
    await insertPending(trx, org_id, ROUTE, { ...delivery, ...nothing });
    await enqueueDelivery(trx, { org_id, id });
  };
}

export type Invite = ReturnType<typeof createInvites>;

function writeInvitation(facts: InviteFacts, app_url: string): PreparedMail {
  const org_name = escapeInvisible(facts.org_name);
  const until = facts.expires_at.toISOString().slice(0, 10);
  const lines = [
    `${facts.invited_by} invites you to the organization "${org_name}" with the role ${facts.role}.`,
    `Accept the invitation by ${until}: ${dropTrailing(app_url, '/')}${facts.accept_path}`,
    'If you do not know this person, ignore this email.',
  ];
  return { to: facts.email, subject: `Invitation to ${org_name}`, text: `${lines.join('\n\n')}\n` };
}

import { createHash, randomBytes } from 'node:crypto';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import { type Db, type Keep, lockOrg } from '../../db/index.ts';
import { assertFound, Conflict, Forbidden, Gone, NotFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { inBatches } from '../../lib/in-batches.ts';
import type { Principal, Role } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import * as store from './invitations-store.ts';
import type { OrgLimits } from './limits-service.ts';
import { alreadyMember, type Members } from './members-service.ts';
import { findLiveMember } from './members-store.ts';
import { assertMayManage } from './roles.ts';
import { findOrg } from './store.ts';
import type { CreatedInvitation, Invitation, InvitedPerson, MaySignIn, Membership } from './types.ts';

const DAY_MS = 86_400_000;
const OPEN_DAYS = 7;
const RETENTION_DAYS = 90;
const TOKEN_PREFIX = 'dpi_';
const TOKEN_BYTES = 32;
/** The page of the web UI on which an invited person accepts; the token follows. */
export const ACCEPT_PATH = '/invitations/accept#token=';

export interface InvitationsDeps extends Pick<ServiceDeps, 'db' | 'sweep_db' | 'now'> {
  /** Can find the organization of a token, and the identity provider of an inviter. */
  platform_db: Db;
  audit: AuditWriter;
  members: Members;
  limits: OrgLimits;
  maySignIn: MaySignIn;
  /** Called in the transaction that writes an invitation: sends it to the invited person. */
  onInvited: (trx: Db, invited: InvitedPerson) => Promise<void>;
}

export function createInvitations(deps: InvitationsDeps) {
  const { db, platform_db, sweep_db, audit, members, limits, maySignIn, onInvited, now } = deps;
  const daysFromNow = (days: number) => new Date(now().getTime() + days * DAY_MS);

  /**
   * Invites a person by email; the invitation is valid for seven days and uses a seat.
   *
   * @returns the invitation, and its token, which is not stored and cannot be read again
   * @throws Forbidden `forbidden_role`, `domain_not_allowed`; PaymentRequired; Conflict `membership_exists`,
   *   `invitation_pending`
   */
  async function create(
    principal: Principal,
    orgId: string,
    input: { email: string; role: Role },
    keep?: Keep<CreatedInvitation>,
  ): Promise<CreatedInvitation> {
    const { user } = principal;
    const email = input.email.trim().toLowerCase();
    await assertMaySignIn(email, user.id);
    const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
    const invitation: Invitation = {
      id: newId(),
      org_id: orgId,
      email,
      role: input.role,
      status: 'pending',
      invited_by: { id: user.id, email: user.email },
      created_at: now(),
      expires_at: daysFromNow(OPEN_DAYS),
    };
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      assertMayManage(await members.findRole(trx, orgId, user.id), input.role);
      await store.closeExpired(trx, orgId, email, now());
      await limits.assertSeat(trx, orgId);
      await assertNew(trx, orgId, email);
      const { id, role, created_at, expires_at } = invitation;
      const row = { id, email, role, token_hash: hashToken(token), invited_by: user.id, created_at, expires_at };
      await store.insertInvitation(trx, orgId, row);
      await keep?.(trx, { invitation, token });
      const { display_name: org_name } = assertFound(await findOrg(trx, orgId));
      const shown = { org_id: orgId, org_name, email, role, expires_at, invited_by: user.email };
      await onInvited(trx, { ...shown, accept_path: ACCEPT_PATH + token });
    });
    await audit.record({
      action: 'membership.invited',
      org_id: orgId,
      actor_email: user.email,
      detail: { invitation_id: invitation.id, email, role: input.role },
    });
    return { invitation, token };
  }

  /** The invitations of the last 90 days, newest first; at most 1,000. */
  async function list(orgId: string): Promise<Invitation[]> {
    const since = daysFromNow(-RETENTION_DAYS);
    return db.readInOrg(orgId, (read) => store.listInvitations(read, orgId, { since, now: now() }));
  }

  /**
   * Revokes an open invitation; its token stops working.
   *
   * @throws NotFound, also if it is no longer open; Forbidden `forbidden_role`
   */
  async function revoke(principal: Principal, orgId: string, id: string): Promise<void> {
    await db.inOrg(orgId, async (trx) => {
      await lockOrg(trx, orgId);
      const invitation = await store.findInvitation(trx, orgId, id, now());
      if (invitation?.status !== 'pending') throw new NotFound();
      assertMayManage(await members.findRole(trx, orgId, principal.user.id), invitation.role);
      await store.close(trx, orgId, id, { status: 'revoked' });
    });
    await audit.record({
      action: 'membership.invitation_revoked',
      org_id: orgId,
      actor_email: principal.user.email,
      detail: { invitation_id: id },
    });
  }

  /**
   * Makes the caller a member with the role of the invitation. A token works once.
   *
   * @throws NotFound for an unknown token; Gone `invitation_closed`; Forbidden `invitation_mismatch`; Conflict
   *   `membership_exists`; PaymentRequired if the organization has fewer seats than before
   */
  async function accept(principal: Principal, token: string): Promise<Membership> {
    const { user } = principal;
    const found = assertFound(await store.findByToken(platform_db, hashToken(token)));
    const { id, org_id } = found;
    const membership = await db.inOrg(org_id, async (trx) => {
      await lockOrg(trx, org_id);
      const invitation = assertFound(await store.findInvitation(trx, org_id, id, now()));
      assertOpenTo(user.email, invitation);
      // The invitation's own seat is released before the seats are counted.
      await store.close(trx, org_id, id, { status: 'accepted', accepted_at: now() });
      return members.add(trx, org_id, {
        user_id: user.id,
        role: invitation.role,
        invited_by: invitation.invited_by.id,
      });
    });
    await members.announceAdded(principal, membership);
    return membership;
  }

  async function deleteOld(): Promise<void> {
    const before = daysFromNow(-RETENTION_DAYS);
    await inBatches((limit) => store.deleteInvitations(sweep_db, before, limit));
  }

  async function assertMaySignIn(email: string, inviterId: string): Promise<void> {
    if (await maySignIn({ email, issuer: await store.getIssuer(platform_db, inviterId) })) return;
    throw new Forbidden(
      `"${email}" could not sign in: its domain is not on the allowlist of this service; ask a platform admin to add it`,
      'domain_not_allowed',
    );
  }

  async function assertNew(trx: Db, orgId: string, email: string): Promise<void> {
    if ((await findLiveMember(trx, orgId, { email }, now())) !== undefined) throw alreadyMember(email);
    if (await store.isPending(trx, orgId, email, now())) {
      throw new Conflict(
        `"${email}" already has an open invitation; revoke it before you send another`,
        'invitation_pending',
      );
    }
  }

  return { create, list, revoke, accept, deleteOld };
}

export type Invitations = ReturnType<typeof createInvitations>;

/** @throws Gone, Forbidden; the error does not reveal the invited person */
function assertOpenTo(email: string, invitation: Invitation): void {
  if (invitation.status !== 'pending') {
    const closed = { accepted: 'was used', revoked: 'was revoked', expired: 'has expired' }[invitation.status];
    throw new Gone(`this invitation ${closed}; ask for a new one`, 'invitation_closed');
  }
  if (invitation.email !== email) {
    throw new Forbidden(
      'this invitation is for another email address; sign in with the address that it was sent to',
      'invitation_mismatch',
    );
  }
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

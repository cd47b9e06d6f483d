import type { Db } from '../../db/index.ts';
import { countRows, newestFirst } from '../../db/paging.ts';
import type { Role } from '../../lib/principal.ts';
import type { Invitation } from './types.ts';

export interface NewInvitation {
  id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

export async function insertInvitation(db: Db, orgId: string, invitation: NewInvitation): Promise<void> {
  await db('invitations').insert({ ...invitation, org_id: orgId });
}

/** The current state of an invitation; an unanswered one expires. */
export async function findInvitation(db: Db, orgId: string, id: string, now: Date): Promise<Invitation | undefined> {
  return toInvitation(await invitations(db, orgId, now).where('i.id', id).first());
}

/** Up to 1,000, newest first. */
export async function listInvitations(
  db: Db,
  orgId: string,
  { since, now }: { since: Date; now: Date },
): Promise<Invitation[]> {
  const rows = await invitations(db, orgId, now)
    .where('i.created_at', '>', since)
    .orderBy(newestFirst('i'))
    .limit(1000);
  return rows.map((row) => toInvitation(row)!);
}

export async function countPending(db: Db, orgId: string, now: Date): Promise<number> {
  return countRows(db('invitations').where({ org_id: orgId, status: 'pending' }).where('expires_at', '>', now));
}

export async function isPending(db: Db, orgId: string, email: string, now: Date): Promise<boolean> {
  const row = await db('invitations')
    .where({ org_id: orgId, email, status: 'pending' })
    .where('expires_at', '>', now)
    .first('id');
  return row !== undefined;
}

/** Closes an expired invitation of this email to allow a new one. */
export async function closeExpired(db: Db, orgId: string, email: string, now: Date): Promise<void> {
  await db('invitations')
    .where({ org_id: orgId, email, status: 'pending' })
    .where('expires_at', '<=', now)
    .update({ status: 'expired' });
}

export async function close(
  db: Db,
  orgId: string,
  id: string,
  outcome: { status: 'revoked' } | { status: 'accepted'; accepted_at: Date },
): Promise<void> {
  await db('invitations').where({ org_id: orgId, id, status: 'pending' }).update(outcome);
}

/** The invitation of a token, across organizations. */
export async function findByToken(db: Db, token_hash: Buffer): Promise<{ id: string; org_id: string } | undefined> {
  return db('invitations').where({ token_hash }).first('id', 'org_id');
}

/** Across organizations. @returns the number of deleted rows; at most `limit` */
export async function deleteInvitations(db: Db, before: Date, limit: number): Promise<number> {
  return db('invitations')
    .whereIn('id', db('invitations').where('created_at', '<', before).limit(limit).select('id'))
    .delete();
}

/** The identity provider that a user signs in with. */
export async function getIssuer(db: Db, userId: string): Promise<string> {
  const row = await db('users').where({ id: userId }).first('issuer');
  return row.issuer;
}

function invitations(db: Db, orgId: string, now: Date) {
  return db('invitations as i')
    .join('users as u', 'u.id', 'i.invited_by')
    .where('i.org_id', orgId)
    .select(
      'i.id',
      'i.org_id',
      'i.email',
      'i.role',
      'i.created_at',
      'i.expires_at',
      'i.invited_by',
      'u.email as inviter',
    )
    .select(
      db.raw(`case when i.status = 'pending' and i.expires_at <= ? then 'expired' else i.status end as status`, [now]),
    );
}

interface InvitationRow extends Omit<Invitation, 'invited_by'> {
  invited_by: string;
  inviter: string;
}

function toInvitation(row: InvitationRow | undefined): Invitation | undefined {
  if (row === undefined) return undefined;
  const { invited_by, inviter, ...invitation } = row;
  return { ...invitation, invited_by: { id: invited_by, email: inviter } };
}

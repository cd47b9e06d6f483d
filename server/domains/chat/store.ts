import type { Db } from '../../db/index.ts';
import type { ChatInstallation } from './types.ts';

const COLUMNS = [
  'id',
  'team_id',
  'team_name',
  'enterprise_id',
  'bot_user_id',
  'scopes',
  'token_expires_at',
  'created_at',
  'updated_at',
] as const;

export interface TokenFields {
  token_ct: Buffer;
  token_expires_at: Date | null;
}

export async function findInstallation(
  db: Db,
  orgId: string,
): Promise<(ChatInstallation & { token_ct: Buffer }) | undefined> {
  return db('chat_installations')
    .where({ org_id: orgId })
    .first(...COLUMNS, 'token_ct');
}

/** The organization that has installed the app in a workspace; for work across organizations. */
export async function findOrgOfTeam(db: Db, team_id: string): Promise<string | undefined> {
  const row: { org_id: string } | undefined = await db('chat_installations').where({ team_id }).first('org_id');
  return row?.org_id;
}

type InstallationRow = Omit<ChatInstallation, 'token_expires_at'> & TokenFields & { installed_by: string };

/** @returns false if another organization has the workspace, or this one has another workspace */
export async function insertInstallation(db: Db, orgId: string, row: InstallationRow): Promise<boolean> {
  const inserted: unknown[] = await db('chat_installations')
    .insert({ org_id: orgId, ...row })
    .onConflict()
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

/** Replaces the token of an installation and what Slack says about it. */
export async function updateInstallation(
  db: Db,
  orgId: string,
  id: string,
  changes: Partial<Omit<InstallationRow, 'id' | 'team_id' | 'created_at'>>,
): Promise<void> {
  await db('chat_installations')
    .where({ org_id: orgId, id })
    .update({ ...changes, refreshing_until: null });
}

/** Claims the exchange of an expiring token. @returns false if another process has claimed it, or has exchanged it */
export async function claimRefresh(
  db: Db,
  orgId: string,
  id: string,
  { token_expires_at, now, until }: { token_expires_at: Date; now: Date; until: Date },
): Promise<boolean> {
  const claimed = await db('chat_installations')
    .where({ org_id: orgId, id, token_expires_at })
    .where((free) => free.whereNull('refreshing_until').orWhere('refreshing_until', '<=', now))
    .update({ refreshing_until: until });
  return claimed > 0;
}

/** @param connected_before one that was connected later stays. @returns the deleted installation */
export async function deleteInstallation(
  db: Db,
  orgId: string,
  connected_before: Date,
): Promise<(Pick<ChatInstallation, 'id' | 'team_id' | 'team_name'> & { token_ct: Buffer }) | undefined> {
  const [row] = await db('chat_installations')
    .where({ org_id: orgId })
    .where('updated_at', '<=', connected_before)
    .delete()
    .returning(['id', 'team_id', 'team_name', 'token_ct']);
  return row;
}

export async function findEmail(db: Db, userId: string): Promise<string> {
  const row: { email: string } | undefined = await db('users').where({ id: userId }).first('email');
  return row?.email ?? '';
}

/** Who issued the identity of a person; for work across organizations. */
export async function findIssuer(db: Db, userId: string): Promise<string> {
  const row: { issuer: string } | undefined = await db('users').where({ id: userId }).first('issuer');
  return row?.issuer ?? '';
}

/** A member of the organization; undefined without an active member with this email. */
export async function findUserByEmail(
  db: Db,
  orgId: string,
  email: string,
): Promise<{ id: string; email: string; display_name: string } | undefined> {
  return db('users as u')
    .join('memberships as m', 'm.user_id', 'u.id')
    .where({ 'm.org_id': orgId, 'u.email': email })
    .whereNull('u.deleted_at')
    .first('u.id', 'u.email', 'u.display_name');
}

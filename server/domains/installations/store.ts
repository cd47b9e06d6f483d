import type { Db } from '../../db/index.ts';
import { newestFirst } from '../../db/paging.ts';
import type { InstallationFields, InstallationStatus, ScmInstallation } from './types.ts';

const COLUMNS = [
  'i.id',
  'i.provider',
  'i.installation_id',
  'i.account_login',
  'i.account_type',
  'i.account_avatar_url',
  'i.repository_selection',
  'i.permissions',
  'i.status',
  'i.html_url',
  'u.id as linker_id',
  'u.email as linker_email',
  'i.created_at',
  'i.updated_at',
] as const;
/** An organization cannot have more installations than its list shows. */
const MOST_LISTED = 1_000;

interface Row extends Omit<ScmInstallation, 'installation_id' | 'linked_by'> {
  /** A bigint is read as text; GitHub's ids are far below 2⁵³. */
  installation_id: string;
  linker_id: string | null;
  linker_email: string | null;
}

/** Linked installations with the person who linked them, unless that person is deleted. */
function selectLive(db: Db, orgId: string) {
  return db('scm_installations as i')
    .leftJoin('users as u', (join) => join.on('u.id', 'i.linked_by').andOnNull('u.deleted_at'))
    .where('i.org_id', orgId)
    .whereNull('i.deleted_at');
}

/** Newest first. */
export async function listInstallations(db: Db, orgId: string): Promise<ScmInstallation[]> {
  const rows: Row[] = await selectLive(db, orgId)
    .orderBy(newestFirst('i'))
    .limit(MOST_LISTED)
    .select(...COLUMNS);
  return rows.map(installation);
}

export async function findInstallation(db: Db, orgId: string, id: string): Promise<ScmInstallation | undefined> {
  const row: Row | undefined = await selectLive(db, orgId)
    .where('i.id', id)
    .first(...COLUMNS);
  return row && installation(row);
}

function installation({ installation_id, linker_id, linker_email, ...rest }: Row): ScmInstallation {
  const linked_by = linker_id === null || linker_email === null ? null : { id: linker_id, email: linker_email };
  return { ...rest, installation_id: Number(installation_id), linked_by };
}

/** The organization of an installation; undefined if it is not linked. */
export async function findOwner(
  db: Db,
  installation_id: number,
): Promise<{ id: string; org_id: string; status: InstallationStatus } | undefined> {
  return db('scm_installations')
    .where({ provider: 'github', installation_id })
    .whereNull('deleted_at')
    .first('id', 'org_id', 'status');
}

/** @returns false if it is already linked, by this organization or another */
export async function insertInstallation(
  db: Db,
  orgId: string,
  row: InstallationFields & { id: string; linked_by: string; created_at: Date; updated_at: Date },
): Promise<boolean> {
  const inserted: unknown[] = await db('scm_installations')
    .insert({ org_id: orgId, provider: 'github', ...row, permissions: JSON.stringify(row.permissions) })
    .onConflict(db.raw('(provider, installation_id) where deleted_at is null'))
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

/** A linked installation of the organization with its key; locks its row. */
export async function lockInstallation(
  db: Db,
  orgId: string,
  which: { id: string } | { installation_id: number },
): Promise<{ id: string; status: InstallationStatus; api_key_id: string | null } | undefined> {
  return db('scm_installations')
    .where({ org_id: orgId, provider: 'github', ...which })
    .whereNull('deleted_at')
    .forUpdate()
    .first('id', 'status', 'api_key_id');
}

/** The key of an installation, or null if there is none. */
export interface StoredKey {
  api_key_id: string | null;
  api_key_ct: Buffer | null;
}

export async function updateInstallation(
  db: Db,
  orgId: string,
  id: string,
  changes: Partial<InstallationFields> &
    Partial<StoredKey> & { linked_by?: string; updated_at: Date; deleted_at?: Date },
): Promise<void> {
  const { permissions, ...rest } = changes;
  const json = permissions === undefined ? {} : { permissions: JSON.stringify(permissions) };
  await db('scm_installations')
    .where({ org_id: orgId, id })
    .update({ ...rest, ...json });
}

/** What a bot needs to act for an active installation. */
export async function findActive(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ installation_id: number; account_login: string; api_key_ct: Buffer } | undefined> {
  const row = await db('scm_installations')
    .where({ org_id: orgId, id, status: 'active' })
    .whereNull('deleted_at')
    .whereNotNull('api_key_ct')
    .first('installation_id', 'account_login', 'api_key_ct');
  return row && { ...row, installation_id: Number(row.installation_id) };
}

export async function findEmail(db: Db, userId: string): Promise<string> {
  const row: { email: string } | undefined = await db('users').where({ id: userId }).first('email');
  return row?.email ?? '';
}

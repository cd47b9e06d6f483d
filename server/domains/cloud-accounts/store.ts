import type { CloudProvider } from '../../adapters/cloud/types.ts';
import type { Db } from '../../db/index.ts';
import { countRows, newestFirst, takeNewest } from '../../db/paging.ts';
import type { AccountStatus, Claim, CloudAccount, CredentialType } from './types.ts';

const COLUMNS = [
  'a.id',
  'a.org_id',
  'a.provider',
  'a.display_name',
  'a.external_account_id',
  'a.credential_type',
  'a.regions',
  'a.enabled',
  'a.status',
  'a.status_reason',
  'a.identity',
  'a.credential_hint',
  'a.last_validated_at',
  'scan.id as last_scan_id',
  'scan.finished_at as last_scan_at',
  'counted.resource_count',
  'a.created_at',
  'a.updated_at',
  'u.id as creator_id',
  'u.email as creator_email',
] as const;

type AccountRow = Omit<CloudAccount, 'created_by' | 'resource_count'> & {
  creator_id: string | null;
  creator_email: string;
  resource_count: number | null;
};

/** Proven credentials, as they are stored. */
export interface CredentialColumns {
  credential_type: CredentialType;
  credentials_ct: Buffer;
  credential_hint: string | null;
  identity: string;
  status: AccountStatus;
  status_reason: string | null;
  last_validated_at: Date;
}

export interface NewAccount extends Claim, CredentialColumns {
  display_name: string;
  enabled: boolean;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** What a session needs of a stored account. */
export interface SealedAccount extends Claim {
  credential_type: CredentialType;
  credentials_ct: Buffer;
  enabled: boolean;
  /** Of the organization. */
  external_id: string;
}

/** What decides whether an account can be scanned. */
export type ScannableAccount = Pick<
  CloudAccount,
  'id' | 'provider' | 'display_name' | 'regions' | 'enabled' | 'status' | 'status_reason' | 'credential_type'
>;

/** One page, newest first, and the total. */
export async function listAccounts(
  db: Db,
  orgId: string,
  { provider }: { provider?: CloudProvider | undefined },
  page: { limit: number; offset: number },
): Promise<{ cloud_accounts: CloudAccount[]; total: number }> {
  const matching = selectLive(db, orgId);
  if (provider !== undefined) matching.where('a.provider', provider);
  const [rows, total] = await Promise.all([
    takeNewest(withInventory(matching), page, 'a').select(...COLUMNS) as Promise<AccountRow[]>,
    countRows(matching),
  ]);
  return { cloud_accounts: rows.map(toAccount), total };
}

export async function findAccount(db: Db, orgId: string, id: string): Promise<CloudAccount | undefined> {
  const [row] = await withInventory(selectLive(db, orgId).where('a.id', id)).select(...COLUMNS);
  return row === undefined ? undefined : toAccount(row);
}

/** Whether the account exists; locks its row. */
export async function lockAccount(db: Db, orgId: string, id: string): Promise<boolean> {
  const [row] = await selectLive(db, orgId).where('a.id', id).forUpdate().select('a.id');
  return row !== undefined;
}

export async function findSealed(db: Db, orgId: string, id: string): Promise<SealedAccount | undefined> {
  return selectLive(db, orgId)
    .join('orgs as o', 'o.id', 'a.org_id')
    .where('a.id', id)
    .first(
      'a.id',
      'a.provider',
      'a.external_account_id',
      'a.regions',
      'a.enabled',
      'a.credential_type',
      'a.credentials_ct',
      'o.cloud_external_id as external_id',
    );
}

/** These accounts, or all enabled ones if none is given; newest first. */
export async function listScannable(db: Db, orgId: string, ids: readonly string[]): Promise<ScannableAccount[]> {
  const accounts = selectLive(db, orgId);
  if (ids.length > 0) accounts.whereIn('a.id', ids);
  else accounts.where('a.enabled', true);
  return accounts
    .orderBy(newestFirst('a'))
    .select(
      'a.id',
      'a.provider',
      'a.display_name',
      'a.regions',
      'a.enabled',
      'a.status',
      'a.status_reason',
      'a.credential_type',
    );
}

/** The only account of a cloud; undefined if there is none, or several. */
export async function findOnly(db: Db, orgId: string, provider: CloudProvider): Promise<{ id: string } | undefined> {
  const found = await selectLive(db, orgId).where('a.provider', provider).limit(2).select('a.id');
  return found.length === 1 ? found[0] : undefined;
}

export async function isTaken(
  db: Db,
  orgId: string,
  { provider, external_account_id }: Pick<Claim, 'provider' | 'external_account_id'>,
): Promise<boolean> {
  return (await countRows(selectLive(db, orgId).where({ provider, external_account_id }))) > 0;
}

/** Disabled accounts count as well. */
export async function countAccounts(db: Db, orgId: string): Promise<number> {
  return countRows(selectLive(db, orgId));
}

/** The external ID of an organization at AWS. */
export async function findExternalId(db: Db, orgId: string): Promise<string | undefined> {
  return (await db('orgs').where({ id: orgId }).first('cloud_external_id'))?.cloud_external_id;
}

export async function insertAccount(db: Db, orgId: string, account: NewAccount): Promise<void> {
  await db('cloud_accounts').insert({ org_id: orgId, ...account });
}

export async function updateAccount(
  db: Db,
  orgId: string,
  id: string,
  changes: Pick<CloudAccount, 'display_name' | 'regions' | 'enabled'> & {
    updated_at: Date;
  } & Partial<CredentialColumns>,
): Promise<void> {
  await db('cloud_accounts').where({ org_id: orgId, id }).update(changes);
}

/** Stores the result of a validation, unless the credentials were replaced or deleted in the meantime. */
export async function noteValidation(
  db: Db,
  orgId: string,
  { id, credentials_ct }: Pick<SealedAccount, 'id' | 'credentials_ct'>,
  found: { status: AccountStatus; status_reason: string | null; last_validated_at: Date; identity?: string },
): Promise<void> {
  await db('cloud_accounts').where({ org_id: orgId, id, credentials_ct }).update(found);
}

/** Deletes an account and erases its credentials. @returns whether there was one */
export async function deleteAccount(db: Db, orgId: string, id: string, now: Date): Promise<boolean> {
  const wiped = { credentials_ct: null, credential_hint: null, enabled: false };
  const count = await db('cloud_accounts')
    .where({ org_id: orgId, id })
    .whereNull('deleted_at')
    .update({ ...wiped, deleted_at: now, updated_at: now });
  return count === 1;
}

function selectLive(db: Db, orgId: string) {
  return db('cloud_accounts as a').where('a.org_id', orgId).whereNull('a.deleted_at');
}

/** Adds the creator, the latest scan that ended without an error, and the size of the inventory. */
function withInventory(accounts: ReturnType<typeof selectLive>) {
  return accounts
    .clone()
    .leftJoin('users as u', (same) => same.on('u.id', 'a.created_by').andOnNull('u.deleted_at'))
    .joinRaw(
      `left join lateral (select s.id, s.finished_at from scan_runs s
       where s.org_id = a.org_id and s.cloud_account_id = a.id and s.status = 'done'
       order by s.created_at desc, s.id desc limit 1) scan on true
       left join lateral (select sum(c.live_count)::integer as resource_count from inventory_counts c
       where c.org_id = a.org_id and c.cloud_account_id = a.id) counted on true`,
    );
}

function toAccount({ creator_id, creator_email, resource_count, ...account }: AccountRow): CloudAccount {
  return {
    ...account,
    resource_count: resource_count ?? 0,
    created_by: creator_id === null ? null : { id: creator_id, email: creator_email },
  };
}

import { escapeInvisible } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type ConnectionOptions, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';
import { fetchAccounts, resolveAccounts } from './account-names.ts';
import { type CredentialType, readCredentials } from './credentials-file.ts';

type CloudAccount = Schemas['CloudAccount'];
type Check = Schemas['CloudAccountCheck'];
type Provider = Schemas['CloudProvider'];

export interface AccountsOptions extends ConnectionOptions {
  format: Format;
}

interface AddOptions extends AccountsOptions {
  name: string;
  type: CredentialType;
  credentials: string;
  region?: string[];
}

interface RotateOptions extends AccountsOptions {
  type?: CredentialType;
  credentials: string;
}

/** Exit code of `validate` if credentials were rejected or permissions are missing. */
const EXIT_NOT_WORKING = 2;
const COLUMNS = ['STATUS', 'CLOUD', 'ACCOUNT', 'NAME', 'CREDENTIALS', 'RESOURCES', 'VALIDATED', 'REASON'];

/** Prints the cloud accounts, newest first. */
export async function listAccounts({ provider, ...options }: AccountsOptions & { provider?: Provider }): Promise<void> {
  const cloud_accounts = await fetchAccounts(await openConnection(options), provider);
  print(options, { cloud_accounts }, () => writeAccounts(cloud_accounts));
}

/** Prints what an administrator creates in the cloud. */
export async function showSetup(provider: string, options: AccountsOptions): Promise<void> {
  if (provider !== 'aws' && provider !== 'gcp' && provider !== 'azure') {
    throw new Failure(`"${provider}" is not a cloud: use aws, gcp or azure`);
  }
  const { dpa, org_id } = await openConnection(options);
  const setup = await dpa.call('getCloudSetup', { path: { id: org_id }, query: { provider } });
  print(options, setup, () => writeSetup(setup[provider] ?? {}));
}

/** Adds an account. The form of the credentials decides the cloud. */
export async function addAccount(account: string, options: AddOptions): Promise<void> {
  const { name, type, credentials: path, region } = options;
  const credentials = await readCredentials(path, type);
  const { dpa, org_id } = await openConnection(options);
  const provider = type.split('_')[0];
  const body = { display_name: name, provider, external_account_id: account, credential_type: type, credentials };
  const added = await dpa.call('createCloudAccount', {
    path: { id: org_id },
    body: { ...body, ...(region && { regions: region }) } as Schemas['CloudAccountCreate'],
  });
  print(options, added, () => writeAccounts([added]));
}

/** Replaces the credentials of an account. */
export async function rotateCredentials(name: string, { type, credentials: path, ...options }: RotateOptions) {
  const connection = await openConnection(options);
  const [account] = await resolveAccounts(connection, [name]);
  if (account === undefined) return;
  const credentials = await readCredentials(path, type ?? account.credential_type);
  const changed = await connection.dpa.call('updateCloudAccount', {
    path: { id: connection.org_id, account_id: account.id },
    body: { credentials, ...(type && { credential_type: type }) },
  });
  print(options, changed, () => writeAccounts([changed]));
}

/** Validates accounts; the exit code says whether all of them work. */
export async function validateAccounts(names: readonly string[], options: AccountsOptions): Promise<void> {
  const connection = await openConnection(options);
  const checks: (Check & { account: CloudAccount })[] = [];
  for (const account of await resolveAccounts(connection, names)) {
    const path = { id: connection.org_id, account_id: account.id };
    checks.push({ account, ...(await connection.dpa.call('validateCloudAccount', { path })) });
  }
  print(options, { checks }, () => checks.map(writeCheck).join(''));
  if (!checks.every(isComplete)) process.exitCode = EXIT_NOT_WORKING;
}

/** Deletes accounts. */
export async function removeAccounts(names: readonly string[], options: AccountsOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const cloud_accounts = await resolveAccounts(connection, names);
  for (const { id } of cloud_accounts) await dpa.call('deleteCloudAccount', { path: { id: org_id, account_id: id } });
  print(options, { cloud_accounts }, () =>
    cloud_accounts
      .map(({ external_account_id: account }) => `${account} is deleted and its credentials are erased\n`)
      .join(''),
  );
}

function isComplete({ valid, permissions }: Check): boolean {
  return valid && permissions.every(({ granted }) => granted);
}

function writeAccounts(accounts: readonly CloudAccount[]): string {
  if (accounts.length === 0) return 'no cloud accounts; run `dpa accounts setup <provider>` to begin\n';
  const rows = accounts.map((account) => [
    account.enabled ? account.status : `${account.status} (disabled)`,
    account.provider,
    account.external_account_id,
    account.display_name,
    [account.credential_type, account.credential_hint ?? ''].join(' ').trimEnd(),
    String(account.resource_count),
    account.last_validated_at?.slice(0, 10) ?? '-',
    account.status_reason ?? '',
  ]);
  return writeTable(COLUMNS, rows);
}

function writeCheck({ account, valid, identity, error, permissions }: Check & { account: CloudAccount }): string {
  const head = `${account.external_account_id}  ${escapeInvisible(account.display_name)}\n`;
  if (!valid) return `${head}  rejected: ${escapeInvisible(error ?? '')}\n`;
  const missing = permissions.filter(({ granted }) => !granted);
  const lines = missing.map(({ name, needed_for }) => `  missing: ${name} (${needed_for})\n`);
  return `${head}  works as ${identity}\n${lines.join('')}`;
}

function writeSetup(setup: object): string {
  return Object.entries(setup)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`)
    .join('');
}

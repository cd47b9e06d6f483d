import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to start a PostgreSQL program: the prefix of its command line, and the user. */
export interface ServerAccount {
  prefix: string[];
  uid?: number;
  gid?: number;
}

const CURRENT_USER: ServerAccount = { prefix: [] };
/** PostgreSQL rejects user id 0. In this user namespace the process has id 1 and still owns its files. */
const NAMESPACE: ServerAccount = { prefix: ['unshare', '--user', '--map-user=1', '--map-group=1', '--'] };

/**
 * PostgreSQL does not run as root. A normal user runs it directly. For root, it runs as the owner of the data, or for
 * new data as the account `postgres` if that can access the folders, otherwise as root in a user namespace, otherwise
 * as a new account.
 *
 * @throws Error if none of these works; the message says what to do
 */
export async function findServerAccount(input: { data: string; postgres: string }): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return CURRENT_USER;
  const owner = await findOwner(input.data);
  if (owner !== undefined) return owner.uid === 0 ? NAMESPACE : { prefix: [], ...owner };

  const existing = await findPostgresAccount();
  if (existing !== undefined && (await canReach(existing, input))) return existing;
  if (await succeeds('unshare', [...NAMESPACE.prefix.slice(1), 'true'])) return NAMESPACE;
  if (existing === undefined && (await succeeds('useradd', ['--system', '--user-group', 'postgres']))) {
    const created = await findPostgresAccount();
    if (created !== undefined && (await canReach(created, input))) return created;
  }
  throw new Error(
    `PostgreSQL does not run as root, and the account "postgres" cannot access ${input.data} and ${input.postgres}: ` +
      'start as an ordinary user, move the project out of a private folder such as /root, or set DATABASE_URL',
  );
}

async function findOwner(data: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(join(data, 'PG_VERSION'));
    return { uid, gid };
  } catch {
    return undefined;
  }
}

async function findPostgresAccount(): Promise<ServerAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { prefix: [], uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function canReach(account: ServerAccount, { data, postgres }: { data: string; postgres: string }) {
  const { uid, gid } = account;
  const options = { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) };
  return succeeds('sh', ['-c', 'cd "$1" && exec "$2" --version', 'sh', join(data, '..'), postgres], options);
}

async function succeeds(program: string, args: string[], options: { uid?: number; gid?: number } = {}) {
  try {
    await run(program, args, { ...options, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

import type { Client } from 'pg';
import { errorCode } from '../lib/error-code.ts';

/**
 * The role of a connection decides what it can do, whichever login it uses: `app_migrator` owns the schema; `app_rw`
 * works inside one organization and sees no other's rows; `app_platform` works across organizations (sign-in,
 * administration, the queue's relay) on the tables and columns that this needs; `app_sweeper` deletes expired rows.
 * Only the first can change the schema.
 */
export const OWNER_ROLE = 'app_migrator';
export const APP_ROLE = 'app_rw';
export const PLATFORM_ROLE = 'app_platform';
export const SWEEPER_ROLE = 'app_sweeper';
export type ServiceRole = typeof APP_ROLE | typeof PLATFORM_ROLE | typeof SWEEPER_ROLE;

const SERVICE_ROLES = [APP_ROLE, PLATFORM_ROLE, SWEEPER_ROLE] as const;

const INSUFFICIENT_PRIVILEGE = '42501';
const UNDEFINED_OBJECT = '42704';

export interface RoleLogins {
  /** The login that migrates, which is the current one. */
  owner: string;
  /** The login that serves; created if it does not exist and a password is given. */
  app: { name: string; password?: string | undefined };
}

/**
 * Creates the roles and grants them to the logins; repeating it changes nothing.
 *
 * @throws Error that lists the statements an administrator must run, if the login cannot run them itself
 */
export async function ensureRoles(client: Client, logins: RoleLogins): Promise<void> {
  for (const statement of await listMissing(client, logins)) {
    await client.query(statement).catch(allowRefusal);
  }
  // A rejected GRANT is only a warning, so the result is checked afterwards.
  const missing = await listMissing(client, logins);
  if (missing.length === 0) return;
  const statements = missing.map((statement) => `  ${withoutPassword(statement)};`).join('\n');
  throw new Error(
    `the login "${logins.owner}" is not allowed to create the database roles; ask an administrator to run:\n\n${statements}\n`,
  );
}

/** Statements that are not permitted, or that depend on one that is not. */
function allowRefusal(error: unknown): void {
  const code = errorCode(error);
  if (code !== INSUFFICIENT_PRIVILEGE && code !== UNDEFINED_OBJECT) throw error;
}

/** Creates a login with this password, or changes the password of an existing one. */
export async function ensureLogin(client: Client, name: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(`${verb} role ${client.escapeIdentifier(name)} login password ${client.escapeLiteral(password)}`);
}

async function listMissing(client: Client, { owner, app }: RoleLogins): Promise<string[]> {
  const id = (name: string) => client.escapeIdentifier(name);
  const { rows } = await client.query('select rolname from pg_roles where rolname = any($1)', [
    [OWNER_ROLE, ...SERVICE_ROLES, app.name],
  ]);
  const present = new Set(rows.map((row) => row.rolname));
  const statements = [OWNER_ROLE, ...SERVICE_ROLES]
    .filter((role) => !present.has(role))
    .map((role) => `create role ${role} nologin`);
  if (!present.has(app.name)) {
    statements.push(`create role ${id(app.name)} login password ${client.escapeLiteral(app.password ?? '')}`);
  }
  const memberships = [[OWNER_ROLE, owner], ...SERVICE_ROLES.map((role) => [role, app.name] as const)] as const;
  for (const [role, member] of memberships) {
    const known = present.has(role) && (member !== app.name || present.has(app.name));
    if (!(known && (await isMember(client, role, member)))) statements.push(`grant ${role} to ${id(member)}`);
  }
  const database = client.database ?? '';
  if (!(present.has(OWNER_ROLE) && present.has(APP_ROLE) && (await haveDatabaseRights(client, database)))) {
    statements.push(`grant create, connect, temporary on database ${id(database)} to ${OWNER_ROLE}`);
    statements.push(`grant create, usage on schema public to ${OWNER_ROLE}`);
    statements.push(`grant connect, temporary on database ${id(database)} to ${APP_ROLE}`);
  }
  return statements;
}

async function isMember(client: Client, role: string, member: string): Promise<boolean> {
  const { rows } = await client.query(
    `select exists (
       select from pg_auth_members m
       join pg_roles r on r.oid = m.roleid
       join pg_roles u on u.oid = m.member
       where r.rolname = $1 and u.rolname = $2) as found`,
    [role, member],
  );
  return rows[0].found;
}

async function haveDatabaseRights(client: Client, database: string): Promise<boolean> {
  const { rows } = await client.query(
    `select has_database_privilege($1, $2, 'create') and has_schema_privilege($1, 'public', 'create')
       and has_database_privilege($3, $2, 'temporary') as may`,
    [OWNER_ROLE, database, APP_ROLE],
  );
  return rows[0].may;
}

function withoutPassword(statement: string): string {
  const at = statement.indexOf(" password '");
  return at < 0 ? statement : `${statement.slice(0, at)} password '…'`;
}

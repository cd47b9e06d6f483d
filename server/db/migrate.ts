import { runMigrations } from 'bullmq';
import knex, { type Knex } from 'knex';
import { Client } from 'pg';
import { QUEUE_NAMES } from '../lib/queue-names.ts';
import type { Logger } from '../log.ts';
import { MIGRATIONS, migrationSource } from './migrations.ts';
import { APP_ROLE, ensureRoles, OWNER_ROLE, PLATFORM_ROLE, SWEEPER_ROLE } from './roles.ts';

/** The ASCII codes of "dpam"; one migration at a time per database. */
const MIGRATION_LOCK = 0x6470616d;
const LEDGER = 'schema_migrations';
const QUEUE_SCHEMA = 'bullmq';

export interface MigrateOptions {
  /** Login of the owner: can create the roles, or the roles exist and it can take `app_migrator`. */
  owner_url: string;
  /** Login of the application, if it is a different one. */
  app_url?: string | undefined;
  log: Logger;
}

/**
 * Migrates the database to this build: roles, the service's tables, the queue's tables. It is safe to run from many
 * processes at once and again after an interruption.
 *
 * @returns the names of the migrations applied now, in order; empty if there was nothing to do
 * @throws Error that lists the statements an administrator must run if the login cannot create roles; Error if a newer
 *   release has migrated the database
 */
export async function migrate({ owner_url, app_url = owner_url, log }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: owner_url, application_name: 'dpa migrate' });
  client.on('error', (error) => log.error({ err: error }, 'the connection of the migration was lost'));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { username, password } = new URL(app_url);
    const app = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
    await ensureRoles(client, { owner: client.user ?? '', app });
    await client.query(`set role ${OWNER_ROLE}`);
    const applied = await applyOurs(owner_url);
    await applyQueue(client);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
    return applied;
  } finally {
    await client.end();
  }
}

/** Migrations of this build that the database lacks; all of them if it was never migrated. */
export async function listPendingMigrations(db: Knex): Promise<string[]> {
  return pendingAfter(await listApplied(db));
}

/**
 * Checks that the database matches this release.
 *
 * @throws Error if migrations are missing, or if a newer release has migrated the database
 */
export async function assertMigrated(db: Knex): Promise<void> {
  const applied = await listApplied(db);
  assertKnown(applied);
  const pending = pendingAfter(applied);
  if (pending.length > 0) {
    throw new Error(
      `the database is missing ${pending.length} migration(s) of this release; run \`dpa migrate\` first`,
    );
  }
}

/** Names of the applied migrations; empty if the database was never migrated. */
async function listApplied(db: Knex): Promise<string[]> {
  const { rows } = await db.raw('select to_regclass(?) is not null as migrated', [LEDGER]);
  return rows[0].migrated ? db(LEDGER).orderBy('name').pluck('name') : [];
}

function pendingAfter(applied: readonly string[]): string[] {
  const done = new Set(applied);
  return MIGRATIONS.map((migration) => migration.name).filter((name) => !done.has(name));
}

function assertKnown(applied: readonly string[]): void {
  const known = new Set(MIGRATIONS.map((migration) => migration.name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const names = unknown.length === 1 ? unknown[0] : `${unknown.length} migrations up to ${unknown.at(-1)}`;
  throw new Error(
    `the database was migrated by a newer release (it has ${names}, which this release does not know); ` +
      'run that release or a newer one',
  );
}

async function applyOurs(owner_url: string): Promise<string[]> {
  const db = knex({
    client: 'pg',
    connection: { connectionString: owner_url, options: `-c role=${OWNER_ROLE}`, application_name: 'dpa migrate' },
    pool: { min: 0, max: 1 },
    migrations: { migrationSource, tableName: LEDGER },
  });
  try {
    assertKnown(await listApplied(db));
    // This process holds the advisory lock, so a lock row was left by an interrupted migration.
    await db.migrate.forceFreeMigrationsLock();
    const [, applied] = await db.migrate.latest();
    await db.raw(`grant select on ${LEDGER} to ${APP_ROLE}, ${PLATFORM_ROLE}`);
    return applied;
  } finally {
    await db.destroy();
  }
}

async function applyQueue(client: Client): Promise<void> {
  await runMigrations(client, QUEUE_SCHEMA);
  for (const queue of QUEUE_NAMES) await ensureQueueSequence(client, queue);
  await client.query(`grant usage on schema ${QUEUE_SCHEMA} to ${APP_ROLE}, ${SWEEPER_ROLE}`);
  await client.query(
    `grant select, insert, update, delete on all tables in schema ${QUEUE_SCHEMA} to ${APP_ROLE}, ${SWEEPER_ROLE}`,
  );
  await client.query(`grant usage on all sequences in schema ${QUEUE_SCHEMA} to ${APP_ROLE}, ${SWEEPER_ROLE}`);
}

/**
 * BullMQ creates a sequence per queue with its first batch. The serving role is not allowed to, so the sequences are
 * created here.
 */
async function ensureQueueSequence(client: Client, queue: string): Promise<void> {
  const { rows } = await client.query(`select ${QUEUE_SCHEMA}.job_id_seq_name($1) as name`, [queue]);
  await client.query(`create sequence if not exists ${QUEUE_SCHEMA}.${client.escapeIdentifier(rows[0].name)}`);
}

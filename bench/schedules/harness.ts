import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { SEALED_COLUMNS } from '../../server/composition/sealed-columns.ts';
import { createColumnSealer, openDatabase, openOrgDatabase, readClock } from '../../server/db/index.ts';
import { type Clouds, createCloudAccounts } from '../../server/domains/cloud-accounts/index.ts';
import { createCloudScans } from '../../server/domains/cloud-scans/index.ts';
import { createInventory } from '../../server/domains/resources/index.ts';
import { createScans } from '../../server/domains/scans/index.ts';
import { createSchedules } from '../../server/domains/schedules/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { createLogger } from '../../server/log.ts';
import { enqueueAll } from '../../server/queue/index.ts';
import { addAccount } from '../lib/accounts.ts';

const USER = newId();

/** A database of its own, without schedules. */
export async function openScheduleDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-schedules-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  // The owner of the tables is bound by their policies, too.
  for (const table of ['orgs', 'cloud_accounts', 'schedules', 'schedule_firings', 'scan_runs']) {
    await owner.query(`alter table ${table} no force row level security`);
  }
  await owner.query(
    `insert into users (id, issuer, subject, email, display_name) values ($1, 'bench', 'bench', 'bench@example.com', 'Bench')`,
    [USER],
  );
  return {
    url: database.url,
    folder,
    owner,
    /** Asks for one row on a connection of its own, again and again while the database restarts. */
    async ask<Row>(query: string): Promise<Row> {
      for (;;) {
        const client = new Client({ connectionString: database.owner_url });
        client.on('error', () => {});
        try {
          await client.connect();
          return (await client.query(query)).rows[0];
        } catch {
          await wait(200);
        } finally {
          await client.end().catch(() => {});
        }
      }
    },
    async close() {
      await owner.end().catch(() => {});
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ScheduleDatabase = Awaited<ReturnType<typeof openScheduleDatabase>>;

/**
 * An organization with one account and schedules. Their next runs must not come while the bench lasts.
 *
 * @param due SQL that computes when each of them is due
 */
export async function addSchedules(
  { owner }: ScheduleDatabase,
  count: number,
  due: string,
  expression = `${(new Date().getUTCMinutes() + 40) % 60} * * * *`,
): Promise<string> {
  const org_id = newId();
  await owner.query(
    `insert into orgs (id, slug, display_name, plan, noise_key_ct) values ($1::uuid, $1::text, 'Org', 'enterprise', '\\x00')`,
    [org_id],
  );
  const account_id = await addAccount(owner, org_id, USER);
  await owner.query(
    `insert into schedules (id, org_id, name, schedule, cloud_account_id, enabled, filter_regions,
       notify_webhook_config_ids, interval_minutes, next_run_at, created_at, created_by, updated_at)
     select gen_random_uuid(), $1, 'Bench', $5, $2, true, '{}', '{}', 60, ${due}, now(), $3, now()
     from generate_series(1, $4)`,
    [org_id, account_id, USER, count, expression],
  );
  return org_id;
}

/**
 * The schedules of one process. Its organizations have no limit of scans.
 *
 * @param skew_ms how far its clock is ahead
 */
export function openScheduleProcess(url: string, skew_ms = 0) {
  const log = createLogger({ log_level: 'error' });
  // On a busy machine, a connection can take longer than the service would wait.
  const patient = { url, connect_timeout_ms: 60_000, log };
  const tenants = openOrgDatabase({ ...patient, max: 4 });
  const platform = openDatabase({ ...patient, max: 2 });
  const now = () => new Date(Date.now() + skew_ms);
  const nothing = async () => {};
  const orgs = {
    assertRoom: nothing,
    getRoom: async () => -1,
    getContract: async () => ({ slug: 'bench', plan: 'enterprise' as const, overrides: {} }),
    noiseKey: async () => Buffer.alloc(32, 1),
  };
  const audit = { record: nothing, recordIn: nothing };
  const sealer = createColumnSealer(createSealer([Buffer.alloc(32, 7)]), SEALED_COLUMNS);
  const shared = { db: tenants.db, platform_db: platform.db, sweep_db: platform.db, sealer, orgs, audit, log, now };
  const accounts = createCloudAccounts({
    ...shared,
    clouds: { aws: { grants: { policy_document: {} } } } as unknown as Clouds,
    onDeleted: nothing,
    deployment: { api_url: null, subject: null, aws_principal_arn: null, aws_template_url: null, signs_rs256: false },
  });
  const cloudScans = createCloudScans({
    ...shared,
    scans: createScans({ ...shared, getOrgPlan: async () => 'enterprise' }),
    scanAccess: accounts.scanAccess,
    inventory: createInventory(shared),
    onEnded: nothing,
    enqueue: nothing,
    enqueueAll: (trx, org_id, ids) => enqueueAll(trx, 'scan', org_id, ids),
    heartbeat_ms: 1_000,
    silence_ms: 0,
  });
  const schedules = createSchedules({
    onDisabled: async () => {},
    ...shared,
    cloudScans,
    scanAccess: accounts.scanAccess,
    resolveChannel: async (_org, channel) => channel,
    assertWebhookConfigs: nothing,
    clock: readClock,
    onFired() {},
  });
  return {
    schedules,
    async close() {
      await Promise.all([tenants.close(), platform.close()]);
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { CloudAdapter } from '../../server/adapters/cloud/types.ts';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { SEALED_COLUMNS } from '../../server/composition/sealed-columns.ts';
import { createColumnSealer, openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { type Clouds, createCloudAccounts } from '../../server/domains/cloud-accounts/index.ts';
import { credentialSeals } from '../../server/domains/cloud-accounts/seals.ts';
import { createCloudScans } from '../../server/domains/cloud-scans/index.ts';
import { createInventory } from '../../server/domains/resources/index.ts';
import { createScans } from '../../server/domains/scans/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { createLogger } from '../../server/log.ts';
import { ACCOUNT_ID } from './made-account.ts';

const SEALER = createSealer([Buffer.alloc(32, 7)]);
const PRINCIPAL = {
  user: { id: newId(), email: 'bench@example.com', display_name: 'Bench', is_platform_admin: false },
  credential: 'oidc' as const,
  credential_id: '',
  key: null,
};

/** A database of its own with one organization and one account. */
export async function openScanDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-scans-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  const [org_id, account_id] = [newId(), newId()];
  await owner.query(
    `insert into orgs (id, slug, display_name, plan, noise_key_ct) values ($1, 'bench', 'Org', 'enterprise', '\\x00')`,
    [org_id],
  );
  await owner.query(
    `insert into users (id, issuer, subject, email, display_name) values ($1, 'bench', 'bench', 'bench@example.com', 'Bench')`,
    [PRINCIPAL.user.id],
  );
  const columns = createColumnSealer(SEALER, SEALED_COLUMNS);
  const credentials = { credential_type: 'aws_access_key', access_key_id: 'A', secret_access_key: 'b' } as const;
  await owner.query(
    `insert into cloud_accounts (id, org_id, provider, display_name, external_account_id, credential_type,
       credentials_ct, identity, status, enabled, regions, created_by, created_at, updated_at, last_validated_at)
     values ($1, $2, 'aws', 'Bench', $3, 'aws_access_key', $4, 'bench', 'active', true, '{}', $5, now(), now(), now())`,
    [account_id, org_id, ACCOUNT_ID, credentialSeals(columns, org_id, account_id).seal(credentials), PRINCIPAL.user.id],
  );
  return {
    folder,
    url: database.url,
    owner,
    org_id,
    account_id,
    async close() {
      await owner.end();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ScanDatabase = Awaited<ReturnType<typeof openScanDatabase>>;

/** The scans of one process. */
export function openScanProcess({ url }: Pick<ScanDatabase, 'url'>, adapter: CloudAdapter) {
  const log = createLogger({ log_level: 'error' });
  // On a busy machine, a connection can take longer than the service would wait.
  const patient = { url, connect_timeout_ms: 60_000, log };
  const tenants = openOrgDatabase(patient);
  const platform = openDatabase({ ...patient, max: 2 });
  const sealer = createColumnSealer(SEALER, SEALED_COLUMNS);
  const now = () => new Date();
  const nothing = async () => {};
  const orgs = { assertRoom: nothing, noiseKey: async () => Buffer.alloc(32, 1) };
  const audit = { record: nothing };
  const shared = { db: tenants.db, platform_db: platform.db, sweep_db: platform.db, sealer, orgs, audit, log, now };
  const grants = { policy_document: {} };
  const accounts = createCloudAccounts({
    ...shared,
    clouds: { aws: { adapter, grants } } as unknown as Clouds,
    onDeleted: nothing,
    deployment: { api_url: null, subject: null, aws_principal_arn: null, aws_template_url: null, signs_rs256: false },
  });
  const scans = createScans({ ...shared, getOrgPlan: async () => 'enterprise' });
  const cloudScans = createCloudScans({
    ...shared,
    scans,
    scanAccess: accounts.scanAccess,
    inventory: createInventory(shared),
    onEnded: nothing,
    enqueue: nothing,
    enqueueAll: nothing,
    heartbeat_ms: 1_000,
    silence_ms: 0,
  });
  return {
    cloudScans,
    scans,
    foundation: { db: tenants.db, sealer, log, now },
    async close() {
      await Promise.all([tenants.close(), platform.close()]);
    },
  };
}

export type ScanProcess = ReturnType<typeof openScanProcess>;

/** Creates a scan without running it. */
export async function startScan(process: ScanProcess, { org_id, account_id }: ScanDatabase) {
  return (await process.cloudScans.create(PRINCIPAL, org_id, { cloud_account_id: account_id })).id;
}

/** Runs a scan to its end. @returns its ID */
export async function runScan(process: ScanProcess, database: ScanDatabase): Promise<string> {
  const id = await startScan(process, database);
  await process.cloudScans.run({ org_id: database.org_id, id }, new AbortController().signal);
  return id;
}

/** How a scan has ended. */
export async function readRun({ owner }: ScanDatabase, id: string) {
  const { rows } = await owner.query('select status, resource_count, scan_errors from scan_runs where id = $1', [id]);
  return rows[0] as { status: string; resource_count: number; scan_errors: unknown[] };
}

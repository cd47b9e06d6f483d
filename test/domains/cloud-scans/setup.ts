import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer, type OrgDatabase } from '../../../server/db/index.ts';
import { createCloudScans } from '../../../server/domains/cloud-scans/index.ts';
import type { CloudScansDeps } from '../../../server/domains/cloud-scans/service.ts';
import { createInventory } from '../../../server/domains/resources/index.ts';
import { openListed } from '../../../server/domains/resources/seals.ts';
import { createScans } from '../../../server/domains/scans/index.ts';
import type { Principal } from '../../../server/lib/principal.ts';
import { AWS_ROLE, sealer, setUpCloudAccounts } from '../cloud-accounts/setup.ts';

const HEARTBEAT_MS = 20;
const SILENCE_MS = 30_000;

/** Scans with their own database and clouds in memory. The queue is a list; the clock is fixed until it is moved. */
export async function setUpCloudScans(hooks: Partial<Pick<CloudScansDeps, 'onEnded'>> = {}) {
  const under = await setUpCloudAccounts();
  const { database, clock, orgs, audit, accounts } = under;
  const queued: { org_id: string; id: string }[] = [];
  const failed: { org_id: string; id: string }[] = [];
  const warnings: unknown[] = [];
  const columns = createColumnSealer(sealer, SEALED_COLUMNS);

  /** One process. */
  function another(db: OrgDatabase = database.db) {
    const shared = {
      db,
      platform_db: database.platform_db,
      sweep_db: database.sweeper_db,
      sealer: columns,
      // The keys of organizations are not encrypted in these tests.
      orgs: { ...orgs, noiseKey: async (org_id: string) => Buffer.from(org_id) },
      audit,
      now: () => clock.now,
      log: { warn: (fields: unknown) => void warnings.push(fields) },
    };
    const scans = createScans({ ...shared, getOrgPlan: async () => 'enterprise' });
    const inventory = createInventory(shared);
    const cloudScans = createCloudScans({
      ...shared,
      scans,
      inventory,
      scanAccess: accounts.scanAccess,
      enqueue: async (_trx, run) => void queued.push(run),
      enqueueAll: async (_trx, org_id, ids) => void queued.push(...ids.map((id) => ({ org_id, id }))),
      heartbeat_ms: HEARTBEAT_MS,
      silence_ms: SILENCE_MS,
      onEnded: async (_trx, { org_id, id, outcome }) => void (outcome === 'failed' && failed.push({ org_id, id })),
      ...hooks,
    });
    return { scans, inventory, cloudScans };
  }

  const process = another();
  const never = new AbortController().signal;

  return {
    ...under,
    ...process,
    another,
    queued,
    /** Scans that were reported as failed. */
    failed,
    warnings,
    /** Moves the clock forward. */
    pass(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    async makeAccount(owner: Principal, org: string, more: Partial<typeof AWS_ROLE> = {}) {
      return accounts.create(owner, org, { ...AWS_ROLE, ...more });
    },
    /** Starts a scan and runs it to its end. */
    async scan(owner: Principal, org: string, cloud_account_id: string, filter_regions: string[] = []) {
      const { id } = await process.cloudScans.create(owner, org, { cloud_account_id, filter_regions });
      await process.cloudScans.run({ org_id: org, id }, never);
      return (await process.scans.get(org, id)).run;
    },
    run: (org_id: string, id: string, shutdown = never) => process.cloudScans.run({ org_id, id }, shutdown),
    resources: (cloud_account_id: string) =>
      database.admin_db('live_resources').where({ cloud_account_id }).orderBy('provider_resource_id'),
    ledger: (cloud_account_id: string) =>
      database.admin_db('inventory_parts').where({ cloud_account_id }).orderBy('part_key'),
    open: (row: { org_id: string; id: string; listed_ct: Buffer }) => JSON.parse(openListed(columns, row).toString()),
  };
}

export type CloudScansUnderTest = Awaited<ReturnType<typeof setUpCloudScans>>;

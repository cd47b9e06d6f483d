import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { SEALED_COLUMNS } from '../../server/composition/sealed-columns.ts';
import { createColumnSealer, type OrgDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { createListing } from '../../server/domains/state-sources/listing-service.ts';
import { createRescanner } from '../../server/domains/state-sources/rescan-service.ts';
import { newId } from '../../server/lib/ids.ts';
import { createSealer } from '../../server/lib/seal.ts';
import { createLogger } from '../../server/log.ts';
import type { BenchRow } from '../lib/row.ts';

const GOAL = 3;
const CREDENTIALS = { credential_type: 'aws_web_identity', role_arn: 'arn:aws:iam::123456789012:role/dpa' } as const;

/**
 * G1: the statements of a rescan whose matches are all registered, without those that begin and end transactions. The
 * one that reads the cloud account is counted; its number must not grow with the number of matches.
 */
export async function benchGlobRescan(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-bench-globs-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir: folder, log });
  const tenants = openOrgDatabase({ url: database.url, max: 2, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  try {
    const rows: BenchRow[] = [];
    for (const known of [10, 500]) rows.push(await measure(tenants.db, await fill(owner), known));
    return rows;
  } finally {
    await Promise.all([tenants.close(), owner.end()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface StoredGlob {
  org_id: string;
  id: string;
}

async function fill(owner: Client): Promise<StoredGlob> {
  const [org_id, id] = [newId(), newId()];
  await owner.query(
    `insert into orgs (id, slug, display_name, plan, noise_key_ct) values ($1, $2, 'Org', 'enterprise', '\\x00')`,
    [org_id, `org-${org_id.slice(-12)}`],
  );
  await owner.query(
    `insert into state_source_globs (id, org_id, cloud_account_id, provider, bucket, prefix, region, display_name,
       created_at) values ($1, $2, $1, 'aws', 'states', '', 'eu-central-1', 'States', now())`,
    [id, org_id],
  );
  return { org_id, id };
}

/** The first rescan registers all states; the second one is measured. */
async function measure(db: OrgDatabase, glob: StoredGlob, known: number): Promise<BenchRow> {
  const counted = countStatements(db);
  const rescanner = open(counted.db, known);
  const added = await rescanner.rescan(PRINCIPAL, glob.org_id, glob.id);
  counted.reset();
  const again = await rescanner.rescan(PRINCIPAL, glob.org_id, glob.id);
  if (added.added !== known || again.added !== 0) throw new Error('the rescans did not register the states');
  const measured = counted.count();
  return {
    id: 'G1',
    what: `glob rescan with ${known} known states`,
    measured,
    limit: GOAL,
    unit: 'statements',
    goal: `≤ ${GOAL} SQL statements`,
    passed: measured <= GOAL,
  };
}

const PRINCIPAL = {
  user: { id: newId(), email: 'bench@example.com', display_name: 'Bench', is_platform_admin: false },
  credential: 'oidc' as const,
  credential_id: '',
  key: null,
};

function open(db: OrgDatabase, known: number) {
  const keys = Array.from({ length: known }, (_, i) => `${String(i).padStart(4, '0')}.tfstate`);
  const listing = createListing({
    sealer: createColumnSealer(createSealer([Buffer.alloc(32, 7)]), SEALED_COLUMNS),
    orgs: { noiseKey: async () => Buffer.alloc(32, 1) },
    backend: { list: async () => keys },
    access: {
      // Stands for the read of the account.
      open: (org_id) =>
        db.readInOrg(org_id, async (read) => {
          await read('orgs').where({ id: org_id }).first('id');
          return { credentials: CREDENTIALS, token_subject: '' };
        }),
    },
    now: () => new Date(),
  });
  const nothing = async () => {};
  const waiting = async () => undefined;
  return createRescanner({
    db,
    orgs: { assertRoom: nothing },
    audit: { record: nothing },
    listing,
    wait: waiting,
    now: () => new Date(),
  });
}

function countStatements(db: OrgDatabase) {
  let count = 0;
  const counted: OrgDatabase = {
    inOrg: (org_id, work) =>
      db.inOrg(org_id, (trx) => {
        trx.on('query', ({ sql }: { sql: string }) => {
          if (!/^(BEGIN|COMMIT)/.test(sql)) count += 1;
        });
        return work(trx);
      }),
    readInOrg(org_id, read) {
      count += 1;
      return db.readInOrg(org_id, read);
    },
  };
  return {
    db: counted,
    count: () => count,
    reset() {
      count = 0;
    },
  };
}

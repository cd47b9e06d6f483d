import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBlobStore } from '../../../server/adapters/blob/index.ts';
import type { CloudProvider } from '../../../server/adapters/cloud/types.ts';
import { SEALED_COLUMNS } from '../../../server/composition/sealed-columns.ts';
import { createColumnSealer, type Db, type OrgDatabase } from '../../../server/db/index.ts';
import { createStateSources, type OpenedAccount } from '../../../server/domains/state-sources/index.ts';
import { InvalidInput, NotFound } from '../../../server/lib/errors.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { OrgContext, Principal } from '../../../server/lib/principal.ts';
import { createSealer } from '../../../server/lib/seal.ts';
import { enqueueAll } from '../../../server/queue/index.ts';
import { createFakeStateBackend } from '../../fakes/state-backend.ts';
import { readSmallState } from '../../fakes/state-reader.ts';
import { makeOrg, makeUser } from '../../helpers/people.ts';
import { setUpOrgs } from '../orgs/setup.ts';

export const TOKEN = 'atlasv1.canary-of-a-token';
export const sealer = createSealer([Buffer.alloc(32, 7)]);

const CREDENTIALS: Record<CloudProvider, OpenedAccount['credentials']> = {
  aws: { credential_type: 'aws_role', role_arn: 'arn:aws:iam::123456789012:role/dpa', external_id: 'x' },
  azure: { credential_type: 'azure_federated', tenant_id: 't', client_id: 'c' },
  gcp: { credential_type: 'gcp_workload_identity', audience: 'a', service_account_email: 's' },
};

/** State sources with their own database and backend; the clock is fixed until it is moved. */
export async function setUpStateSources() {
  const under = await setUpOrgs();
  const { database, clock, orgs, audit } = under;
  const folder = await mkdtemp(join(tmpdir(), 'dpa-state-sources-'));
  const blobs = createBlobStore({ kind: 'folder', root: folder });
  const backend = createFakeStateBackend();
  const accounts = new Map<string, OpenedAccount & { org_id: string }>();
  const warnings: unknown[] = [];
  /** Callers that wait for another one, while a test holds them. */
  const waiting: ((value?: unknown) => void)[] = [];
  let is_held = false;

  /** One process. */
  const another = (db: OrgDatabase = database.db) =>
    createStateSources({
      db,
      platform_db: database.platform_db,
      sweep_db: database.sweeper_db,
      sealer: createColumnSealer(sealer, SEALED_COLUMNS),
      blob_sealer: sealer,
      // The keys of organizations are not encrypted in these tests.
      orgs: { ...orgs, noiseKey: async (org_id) => Buffer.from(org_id) },
      audit,
      blobs,
      backend: backend.backend,
      readState: readSmallState,
      accounts: {
        async openAccount(org_id, id) {
          const account = accounts.get(id);
          if (account?.org_id !== org_id) throw new NotFound();
          return account;
        },
        async findOnlyAccount(org_id, provider) {
          const found = [...accounts].filter(([, one]) => one.org_id === org_id && one.provider === provider);
          return found.length === 1 ? found[0]?.[0] : undefined;
        },
      },
      assertAllowed(location) {
        if (location.kind === 'tfc' && location.endpoint?.includes('127.0.0.1')) {
          throw new InvalidInput('endpoint must name a server on the public internet', 'url_not_allowed');
        }
      },
      enqueueItems: (trx, org_id, ids) => enqueueAll(trx, 'state-refresh', org_id, ids),
      wait: () => new Promise((resolve) => (is_held ? waiting.push(resolve) : setImmediate(resolve))),
      log: { warn: (fields: unknown) => void warnings.push(fields) },
      now: () => clock.now,
    });

  return {
    ...under,
    ...another(),
    another,
    backend,
    accounts,
    blobs,
    warnings,
    async close() {
      await database.close();
      await rm(folder, { recursive: true });
    },
    async makeOwner(plan: 'free' | 'team' | 'enterprise' = 'team'): Promise<{ owner: Principal; org: OrgContext }> {
      const owner = await makeUser(database.admin_db);
      return { owner, org: { id: await makeOrg(database.admin_db, { owner, plan }), role: 'owner' } };
    },
    /** Runs `work` while one fetch is held, after `count` other callers have begun to wait for it. */
    async withWaiting<T>(
      count: number,
      start: () => Promise<T>,
      meanwhile: () => Promise<unknown> = async () => {},
    ): Promise<T> {
      const release = backend.hold();
      is_held = true;
      const started = start();
      while (waiting.length < count || backend.fetches.length === 0) await new Promise(setImmediate);
      await meanwhile();
      release();
      is_held = false;
      for (const resume of waiting.splice(0)) resume();
      return started;
    },
    /** One process, and the statements that it sends, without those that begin and end transactions. */
    counting() {
      const statements: string[] = [];
      const listen = (trx: Db) => trx.on('query', ({ sql }: { sql: string }) => void statements.push(sql));
      const db: OrgDatabase = {
        inOrg: (org_id, work) =>
          database.db.inOrg(org_id, (trx) => {
            listen(trx);
            return work(trx);
          }),
        readInOrg(org_id, read) {
          statements.push('a read');
          return database.db.readInOrg(org_id, read);
        },
      };
      return { ...another(db), statements };
    },
    /** A cloud account of the organization. */
    addAccount(org_id: string, provider: CloudProvider, enabled = true): string {
      const id = newId();
      accounts.set(id, {
        org_id,
        provider,
        enabled,
        credentials: CREDENTIALS[provider],
        token_subject: `org:${org_id}`,
      });
      return id;
    },
    setSecrets: (org_id: string, state_source_secrets: string) =>
      database
        .admin_db('orgs')
        .where({ id: org_id })
        .update({ settings: JSON.stringify({ state_source_secrets }) }),
    sourceRow: (id: string) => database.admin_db('state_sources').where({ id }).first(),
  };
}

export type StateSourcesUnderTest = Awaited<ReturnType<typeof setUpStateSources>>;

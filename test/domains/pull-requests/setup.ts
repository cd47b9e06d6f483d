import type { BlobStore } from '../../../server/adapters/blob/types.ts';
import {
  createPullRequests,
  type FoundPlan,
  type ObservedPullRequest,
} from '../../../server/domains/pull-requests/index.ts';
import { newId } from '../../../server/lib/ids.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { labelSealer, makeOrg, makeUser } from '../../helpers/people.ts';

export const NEVER = new AbortController().signal;

/** Pull requests on a clock that the test moves, with the queue entries they created. */
export function pullRequestsSetup(database: TestDatabase, lease_ms = 60_000) {
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const enqueued: { org_id: string; id: string; at?: Date }[] = [];
  const stored = new Map<string, { bytes: Buffer; modified_at: Date }>();
  const blobs: BlobStore = {
    put: async (key, bytes) => void stored.set(key, { bytes: Buffer.from(bytes), modified_at: clock.now }),
    get: async (key) => stored.get(key)?.bytes,
    delete: async (key) => void stored.delete(key),
    async *list(prefix) {
      for (const [key, { modified_at }] of stored) if (key.startsWith(prefix)) yield { key, modified_at };
    },
    check: async () => {},
  };
  const { db, platform_db, admin_db, sweeper_db: sweep_db } = database;
  const approved: string[] = [];
  const pullRequests = createPullRequests({
    db,
    platform_db,
    sweep_db,
    blobs,
    sealer: labelSealer,
    now: () => clock.now,
    log: { warn() {} },
    enqueue: async (_trx, payload, at) => void enqueued.push({ ...payload, ...(at === undefined ? {} : { at }) }),
    onApproved: async (_trx, { id }) => void approved.push(id),
    lease_ms,
  });

  return {
    pullRequests,
    approved,
    clock,
    enqueued,
    blobs,
    stored,
    pass(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    /** A pull request of an organization in a repository of its own. */
    async tracked(fields: Partial<ObservedPullRequest> = {}) {
      const { org_id, source } = await makeSource(database);
      const pull_request = await pullRequests.track(org_id, source, observed(fields));
      return { org_id, source, id: pull_request.id, payload: { org_id, id: pull_request.id }, pull_request };
    },
    findRow: (id: string) => admin_db('pull_requests').where({ id }).first(),
    listPlans: (pull_request_id: string) =>
      admin_db('pull_request_plans').where({ pull_request_id }).orderBy(['plan_key', 'head_sha']),
  };
}

export async function makeSource(database: TestDatabase) {
  const { admin_db } = database;
  const owner = await makeUser(admin_db);
  const org_id = await makeOrg(admin_db, { owner });
  const config_id = newId();
  const at = new Date('2026-05-01T12:00:00.000Z');
  await admin_db('webhook_configs').insert({
    id: config_id,
    org_id,
    provider: 'gitlab',
    repo_path: 'acme/infra',
    provider_base_url: 'https://gitlab.example',
    secret_prefix: 'whsec_aaaaaa',
    secret_ct: Buffer.alloc(1),
    created_by: owner.user.id,
    created_at: at,
    updated_at: at,
  });
  return { org_id, owner, source: { config_id, installation_row_id: null } as const };
}

export function observed(fields: Partial<ObservedPullRequest> = {}): ObservedPullRequest {
  return {
    repo: 'acme/infra',
    pr_number: 7,
    url: 'https://gitlab.example/acme/infra/-/merge_requests/7',
    state: 'open',
    is_fork: false,
    branch: 'feature',
    head_sha: sha(1),
    ...fields,
  };
}

export function sha(n: number): string {
  return n.toString(16).padStart(40, '0');
}

/** A plan with this text; equal texts have the same hash. */
export function buildPlan(plan_key: string, text: string): FoundPlan {
  return { plan_key, plan_hash: Buffer.from(text).toString('hex').padEnd(64, '0'), payload: Buffer.from(text) };
}

export function buildRun(number: number, head = 1) {
  const url = `https://github.com/acme/infra/actions/runs/${number}`;
  return { id: `run-${number}`, number, head_sha: sha(head), url };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { openOrgDatabase } from '../../server/db/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { createLogger } from '../../server/log.ts';
import { enqueue } from '../../server/queue/index.ts';
import { addAccount } from '../lib/accounts.ts';
import { CLI, startServer } from '../lib/process.ts';
import type { BenchRow } from '../lib/row.ts';
import { computeQuantile } from '../lib/statistics.ts';

const ROUNDS = 20;
const WARM_UP = 2;
const GOAL_MS = 2_000;
const USER = newId();

/**
 * K3: time from the commit of a drift snapshot with differences to its first message at Slack, through the processes and
 * queues of the service. Each round has an organization of its own, because an organization's messages share one.
 */
export async function benchFirstMessage(): Promise<BenchRow[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'dpa-bench-message-'));
  const log = createLogger({ log_level: 'error' });
  const database = await openEmbeddedDatabase({ data_dir, log });
  const owner = new Client({ connectionString: database.owner_url });
  await owner.connect();
  const tenants = openOrgDatabase({ url: database.url, max: 2, log });
  const slack = await startSlack();
  const settings = { SLACK_BOT_TOKEN: 'xoxb-bench', SLACK_API_URL: `${slack.url}/api`, LOG_LEVEL: 'warn' };
  const env = { ...process.env, ...settings, DATABASE_URL: database.url };
  const server = await startServer([CLI, 'serve', '--port', '0', '--role', 'all', '--data-dir', data_dir], env);
  try {
    const waits: number[] = [];
    await addUser(owner);
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const org_id = await addOrg(owner, `C${newId()}`);
      const drifted = await addDrift(owner, org_id);
      const posted = slack.nextPost();
      await tenants.db.inOrg(org_id, async (trx) => {
        const id = newId();
        const event = { id, org_id, source: 'drift_snapshot', source_id: drifted, created_at: new Date() };
        await trx('notification_events').insert(event);
        await enqueue(trx, 'notify', { org_id, id });
      });
      const from = performance.now();
      const wait_ms = Math.max(0, (await posted) - from);
      if (round >= 0) waits.push(wait_ms);
    }
    return [toRow(waits)];
  } finally {
    await server.stop();
    await tenants.close();
    await slack.close();
    await owner.end();
    await database.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

/** Accepts every message, and says when. */
async function startSlack() {
  let onPost: (at: number) => void = () => {};
  const server = createServer((request, response) => {
    if (request.url?.endsWith('chat.postMessage')) onPost(performance.now());
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: true, channel: 'C1', ts: '1.0' }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextPost: () =>
      new Promise<number>((resolve) => {
        onPost = resolve;
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function addUser(owner: Client): Promise<void> {
  await owner.query(
    `insert into users (id, issuer, subject, email, display_name) values ($1, 'bench', 'bench', 'bench@example.com', 'Bench')`,
    [USER],
  );
}

async function addOrg(owner: Client, channel: string): Promise<string> {
  const id = newId();
  await owner.query(
    `insert into orgs (id, slug, display_name, plan, noise_key_ct) values ($1::uuid, $1::text, 'Bench', 'team', '\\x00')`,
    [id],
  );
  await owner.query(
    `insert into notification_targets (id, org_id, kind, enabled, min_level, channel, addresses, created_by, created_at,
       updated_at) values ($1, $2, 'slack', true, 'low', $3, '{}', $4, now(), now())`,
    [newId(), id, channel, USER],
  );
  return id;
}

/** An account with one difference. @returns the ID of the snapshot */
async function addDrift(owner: Client, org_id: string): Promise<string> {
  const account = await addAccount(owner, org_id, USER);
  const [run, items, snapshot] = [newId(), newId(), newId()];
  await owner.query(
    `insert into scan_runs (id, org_id, kind, scan_type, provider, cloud_account_id, status, created_at, queued_at,
       finished_at) values ($1, $2, 'cloud', 'scheduled', 'aws', $3, 'done', now(), now(), now())`,
    [run, org_id, account],
  );
  await owner.query(
    `insert into drift_item_sets (id, org_id, cloud_account_id, content_hash, item_count, created_at, last_used_at)
     values ($1::uuid, $2, $3, sha256(convert_to($1::text, 'utf8')), 1, now(), now())`,
    [items, org_id, account],
  );
  await owner.query(
    `insert into drift_items (items_id, position, org_id, id, drift_type, first_detected_at, level, level_rank, stable_key,
       resource_address, tags, resource_type, normalized_type, categories, certainty, reasons, attributes,
       attributes_total, suppressed)
     values ($1, 0, $2, $3::uuid, 'changed', now(), 'high', 3, sha256(convert_to($3::text, 'utf8')), 'aws_instance.web', '{}',
       'aws_instance', 'compute', '{}', 'confirmed', '[]', '[]', 0, false)`,
    [items, org_id, newId()],
  );
  await owner.query(
    `insert into drift_snapshots (id, org_id, scan_run_id, cloud_account_id, items_id, created_at, changed_count,
       extra_count, matched_count, missing_count, parse_failure_count, not_checked_count, excluded_count, ignored_count,
       drift_status, total_iac, total_live, coverage_pct, risk_level, narrative, narrative_status, notes)
     values ($1, $2, $3, $4, $5, now(), 1, 0, 0, 0, 0, 0, 0, 0, 'drifted', 9, 9, 91.4, 'high', 'Drift.', 'fallback', '[]')`,
    [snapshot, org_id, run, account, items],
  );
  return snapshot;
}

function toRow(waits: readonly number[]): BenchRow {
  const measured = computeQuantile(waits, 0.99);
  return {
    id: 'K3',
    what: 'commit of a drift snapshot → its first message at Slack, p99',
    ...{ measured, limit: GOAL_MS, unit: 'ms', goal: `≤ ${GOAL_MS} ms`, passed: measured <= GOAL_MS },
    note: `median ${computeQuantile(waits, 0.5).toFixed(0)} ms of ${waits.length}`,
  };
}

import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { newId } from '../../server/lib/ids.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { createLogger } from '../../server/log.ts';
import { CLI, type ServerProcess, startServer } from '../lib/process.ts';
import { type BenchRow, toRatioRow } from '../lib/row.ts';
import { computeQuantile } from '../lib/statistics.ts';

const AT_ONCE = 100;
const ROUNDS = 10;
const GOAL_MS = 300;
const GOAL_RATIO = 4;
const TEAM = 'T0BENCH';
const SLACK = {
  SLACK_CLIENT_ID: '1234567890.1234567890',
  SLACK_CLIENT_SECRET: 'a-client-secret-of-slack',
  SLACK_SIGNING_SECRET: 'a-signing-secret-of-slack',
};
/** Slack sends from many addresses, and the benchmark from one. */
const UNLIMITED = { RATE_LIMIT_PER_IP: '1000000' };

/**
 * K1: time until Slack has the response to a pressed button, while 100 people press one; Slack waits three seconds. K2:
 * the same, compared with a server that only reads the body, which shows the cost whatever else the machine does.
 */
export async function benchSlackAcknowledgment(): Promise<BenchRow[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'dpa-bench-slack-'));
  const database = await openEmbeddedDatabase({ data_dir, log: createLogger({ log_level: 'error' }) });
  const env = { ...process.env, ...SLACK, ...UNLIMITED, LOG_LEVEL: 'warn', DATABASE_URL: database.url };
  const servers: ServerProcess[] = [];
  const start = async (args: string[]) => {
    const server = await startServer(args, env);
    servers.push(server);
    return server;
  };
  try {
    const ours = await start([CLI, 'serve', '--port', '0', '--role', 'api', '--data-dir', data_dir]);
    const bare = await start([join(packageRoot(), 'dist/bench/service/http-limits.js'), 'collect']);
    await connectWorkspace(database);
    return await measure(ours.url, bare.url, database);
  } finally {
    for (const server of servers) await server.stop();
    await database.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

async function measure(ours: string, bare: string, database: EmbeddedDatabase): Promise<BenchRow[]> {
  await pressAtOnce(bare);
  await pressAtOnce(ours);
  const waits: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    waits.bare.push(...(await pressAtOnce(bare)));
    waits.ours.push(...(await pressAtOnce(ours)));
  }
  return toRows(waits, await countStored(database));
}

/** An organization whose workspace is connected. */
async function connectWorkspace(database: EmbeddedDatabase): Promise<void> {
  const [user, org] = [newId(), newId()];
  await asOwner(database, async (owner) => {
    await owner.query(
      `insert into users (id, issuer, subject, email, display_name) values ($1, 'bench', 'bench', 'bench@example.com', 'Bench')`,
      [user],
    );
    await owner.query(
      `insert into orgs (id, slug, display_name, plan, noise_key_ct) values ($1::uuid, $1::text, 'Bench', 'team', '\\x00')`,
      [org],
    );
    await owner.query(
      `insert into chat_installations (id, org_id, team_id, team_name, bot_user_id, scopes, token_ct, installed_by,
         created_at, updated_at) values ($1, $2, $3, 'Bench', 'UBOT', '{}', '\\x00', $4, now(), now())`,
      [newId(), org, TEAM, user],
    );
  });
}

async function asOwner<Result>(
  { owner_url }: EmbeddedDatabase,
  run: (owner: Client) => Promise<Result>,
): Promise<Result> {
  const owner = new Client({ connectionString: owner_url });
  await owner.connect();
  try {
    // The owner of the tables is bound by their policies, too.
    for (const table of ['orgs', 'chat_installations', 'chat_requests']) {
      await owner.query(`alter table ${table} no force row level security`);
    }
    return await run(owner);
  } finally {
    await owner.end();
  }
}

async function countStored(database: EmbeddedDatabase): Promise<number> {
  const { rows } = await asOwner(database, (owner) => owner.query('select count(*)::int from chat_requests'));
  return rows[0].count;
}

/** Presses a button for each of 100 people at once. @returns how long each response took, in ms */
async function pressAtOnce(url: string): Promise<number[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, () => press(url)));
}

async function press(url: string): Promise<number> {
  const actions = [{ type: 'button', action_id: 'snooze', value: 'x'.repeat(300) }];
  const [team, user, trigger_id] = [{ id: TEAM }, { id: 'U1' }, newId()];
  const response_url = 'https://hooks.slack.com/actions/x';
  const payload = JSON.stringify({ type: 'block_actions', team, user, trigger_id, response_url, actions });
  const body = new URLSearchParams({ payload }).toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac('sha256', SLACK.SLACK_SIGNING_SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-slack-request-timestamp': timestamp },
    'x-slack-signature': `v0=${mac}`,
  };
  const begun = performance.now();
  const response = await fetch(`${url}/api/v2/chat/slack/interactions`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`a press was answered with ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - begun;
}

function toRows(waits: { ours: number[]; bare: number[] }, stored: number): BenchRow[] {
  const [ours, bare] = [computeQuantile(waits.ours, 0.99), computeQuantile(waits.bare, 0.99)];
  const sent = AT_ONCE * (ROUNDS + 1);
  const what = `response to a pressed button in Slack while ${AT_ONCE} are pressed, p99`;
  const note = `median ${computeQuantile(waits.ours, 0.5).toFixed(0)} ms; ${stored} of ${sent} stored`;
  const goal = `≤ ${GOAL_MS} ms, all stored`;
  return [
    {
      ...{ id: 'K1', what, measured: ours, limit: GOAL_MS, unit: 'ms', goal, note },
      passed: ours <= GOAL_MS && stored === sent,
    },
    toRatioRow({
      ...{ id: 'K2', what, ratio: ours / bare, limit: GOAL_RATIO, comparison: 'a server that only reads the body' },
      note: `${ours.toFixed(0)} ms against ${bare.toFixed(0)} ms`,
    }),
  ];
}

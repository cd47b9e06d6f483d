/**
 * `node dist/bench/fault/idempotency-kills.js [--kills 200] [--clients 8]`: clients send requests with an
 * `Idempotency-Key` to two API processes and retry each request until it is answered, while the processes are killed at
 * random times. Exits with 1 if a request is lost or runs twice. Everything runs on loopback, in a temporary folder
 * that is removed.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { openEmbeddedDatabase } from '../../server/adapters/postgres/index.ts';
import { createLogger } from '../../server/log.ts';
import { openTempFolder } from '../lib/temp-folder.ts';
import { generatePlanText } from '../plan/plan-generator.ts';
import { startInstances } from './instances.ts';
import { type Outcome, sendUntilAnswered } from './persistent-client.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, clients: { type: 'string', default: '8' } },
});
const kills = Number(values.kills);
const clients = Number(values.clients);
/** A process is killed at most this long after the previous one is available again. */
const LONGEST_PAUSE_MS = 200;
const ROUNDS_IN_AN_ORG = 5;
const plan_json = generatePlanText(5);

/** Each operation leaves one row with the mark of its request. */
const OPERATIONS: Record<string, { path: string; body: (mark: string) => unknown; marks: string }> = {
  createOrg: {
    path: '/orgs',
    body: (mark) => ({ slug: mark, display_name: 'Fault' }),
    marks: 'select slug as mark from orgs',
  },
  analyzePlan: {
    path: '/analyze',
    body: (mark) => ({ plan_json, ci: { branch: mark } }),
    marks: 'select r.branch as mark from llm_jobs j join scan_runs r on r.org_id = j.org_id and r.id = j.scan_run_id',
  },
  createApiKey: {
    path: '/api-keys',
    body: (mark) => ({ name: mark, scopes: ['read'] }),
    marks: 'select name as mark from api_keys',
  },
  createCustomRule: {
    path: '/custom-rules',
    body: (mark) => ({ name: mark, description: mark, rule_type: 'risk', config: RISK_CONFIG }),
    marks: 'select name as mark from custom_rules',
  },
  createWebhookConfig: {
    path: '/webhook-configs',
    body: (mark) => ({ provider: 'gitlab', repo_path: `acme/${mark}` }),
    marks: `select substring(repo_path from '[^/]*$') as mark from webhook_configs`,
  },
};
const RISK_CONFIG = { version: 1, match: {}, effect: 'raise', level: 'low', message: 'Ask.' };
const IN_ORG = Object.keys(OPERATIONS).filter((id) => id !== 'createOrg');

interface SentRequest extends Outcome {
  operation: string;
  mark: string;
}

const started_at = Date.now();
const { folder, closers, close } = await openTempFolder('dpa-idempotency-');
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await close();
}

async function run(): Promise<boolean> {
  const database = await openEmbeddedDatabase({ data_dir: folder, log: createLogger({ log_level: 'error' }) });
  closers.push(database.stop);
  const admin = new pg.Client({ connectionString: database.owner_url });
  await admin.connect();
  closers.push(() => admin.end());
  await admin.query(`
    create function fault_plan() returns trigger language plpgsql as $$
      begin new.plan := 'enterprise'; return new; end $$;
    create trigger fault_plan before insert on orgs for each row execute function fault_plan()`);
  const instances = await startInstances(2, { ...process.env, ...buildSettings(folder, database.url) });
  closers.push(instances.stop);
  const token = await signDevToken({ data_dir: folder, email: 'fault@localhost.test', production: false });

  const ended = new AbortController();
  const sending = Array.from({ length: clients }, () => sendAll(instances.urls, token, ended.signal));
  for (let n = 0; n < kills; n++) {
    await wait(Math.random() * LONGEST_PAUSE_MS);
    await instances.kill(Math.floor(Math.random() * instances.urls.length));
  }
  ended.abort();
  const sent = (await Promise.all(sending)).flat();
  return report(sent, await countEffects(admin), instances.kills());
}

function buildSettings(data_dir: string, database_url: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    PLAN_THREADS: '1',
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_PER_CREDENTIAL: '1000000',
    RATE_LIMIT_PER_ORG: '1000000',
  };
}

/** A client that creates an organization, works in it for a few rounds, and creates the next one. */
async function sendAll(urls: readonly string[], token: string, ended: AbortSignal): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  const send = async (operation: string, prefix: string) => {
    const { path, body } = OPERATIONS[operation]!;
    const mark = `m-${randomUUID().slice(0, 18)}`;
    const outcome = await sendUntilAnswered(urls, token, { path: prefix + path, body: body(mark) });
    sent.push({ operation, mark, ...outcome });
    return outcome;
  };
  while (!ended.aborted) {
    const org = (await send('createOrg', '/api/v2')).answer?.body['id'];
    for (let round = 0; round < ROUNDS_IN_AN_ORG && org !== undefined && !ended.aborted; round++) {
      for (const operation of IN_ORG) await send(operation, `/api/v2/orgs/${org}`);
    }
  }
  return sent;
}

/** The number of rows with each mark, counted in the database itself. */
async function countEffects(admin: pg.Client): Promise<Map<string, number>> {
  const effects = new Map<string, number>();
  for (const { marks } of Object.values(OPERATIONS)) {
    const { rows } = await admin.query(`select mark, count(*)::int as n from (${marks}) as marks group by mark`);
    for (const { mark, n } of rows) effects.set(mark, n);
  }
  return effects;
}

function report(sent: SentRequest[], effects: Map<string, number>, killed: number): boolean {
  const toRow = (some: SentRequest[]) => ({
    requests: some.length,
    tries: some.reduce((sum, { tries }) => sum + tries, 0),
    replayed_after_cut: some.filter(({ replayed_after_cut }) => replayed_after_cut).length,
    run_twice: some.filter(({ mark }) => (effects.get(mark) ?? 0) > 1).length,
    lost: some.filter(({ answer, mark }) => !isSuccess(answer) || !effects.has(mark)).length,
  });
  const ids = Object.keys(OPERATIONS);
  const rows = ids.map((id) => [id, toRow(sent.filter(({ operation }) => operation === id))] as const);
  const all = toRow(sent);
  console.table(Object.fromEntries([...rows, ['all', all]]));
  for (const { operation, answer, reasons } of sent) {
    if (!isSuccess(answer)) console.log(operation, JSON.stringify(answer ?? 'no answer'), Object.fromEntries(reasons));
  }
  console.log(`${killed} kills in ${Math.round((Date.now() - started_at) / 1000)} s`);
  return killed === kills && all.run_twice === 0 && all.lost === 0 && all.replayed_after_cut > 0;
}

function isSuccess(answer: Outcome['answer']): boolean {
  return answer !== undefined && answer.status < 300;
}

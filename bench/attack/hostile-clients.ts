/**
 * `node dist/bench/attack/hostile-clients.js [--minutes 10] [--roles all | api,worker,scheduler,bot] [--only "gzip
 * bombs,pipelining"] [--shapes ./more-plans.cjs] [--profile folder]`: runs each attack on a service, one after the
 * other and then all at once, while a well-behaved organization uses the service. Measures the effect on that
 * organization and the memory of the service. Clients run in their own processes, attackers at low priority. Exits with
 * 1 if a limit is exceeded.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { readProcessCpu } from '../lib/process.ts';
import { call, createClient } from './client.ts';
import { startClients } from './clients/children.ts';
import type { Counts, Target } from './clients/target.ts';
import { readPostgresBytes, watchMemory } from './memory.ts';
import { BASELINE, BASELINE_SHARE, PHASES } from './phases.ts';
import { type PhaseFigures, printFigures } from './phases-report.ts';
import { openHarness, type ServiceHarness } from './service.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    roles: { type: 'string', default: 'all' },
    only: { type: 'string' },
    shapes: { type: 'string' },
    profile: { type: 'string' },
  },
});
const RUN_MS = Number(values.minutes) * 60_000;
/** An organization may submit 30 plans per hour. */
const GOOD_ORGS = 8;
const BAD_ORGS = 20;
/** Each client has its own address, as in production, so that limits per address affect only that client. */
const ADDRESSES = { good: '10.1.0.1', after: '10.1.0.2', bad: '10.66.255.1' };
const WARM_UP_MS = 5_000;
/** Pause between attacks, so that one attack does not affect the next measurement. */
const REST_MS = 3_000;
const phases = PHASES.filter(({ name }) => values.only === undefined || values.only.split(',').includes(name));
const share_ms = (RUN_MS * (1 - BASELINE_SHARE)) / phases.reduce((sum, { shares }) => sum + shares, 0);

const node_args = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(values.profile)}`];
const harness = await openHarness({
  roles: values.roles.split(','),
  node_args,
  env: {
    LOG_LEVEL: 'info',
    TRUSTED_PROXIES: '1',
    // As in production; tests and developers may raise them.
    RATE_LIMIT_PER_IP: '600',
    RATE_LIMIT_BURST: '300',
    RATE_LIMIT_PER_CREDENTIAL: '3000',
    RATE_LIMIT_PER_ORG: '6000',
    BOT_API_URL: 'http://127.0.0.1:1',
  },
});
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await harness.close();
}

async function run(): Promise<boolean> {
  const good = await makeTarget(harness, 'good', GOOD_ORGS);
  const bad = await makeTarget(harness, 'bad', BAD_ORGS);
  // A separate target, so that its requests are not part of the other figures.
  const after = await makeTarget(harness, 'after', 1);
  const clients = startClients(good, bad);
  const pids = harness.services.map(({ pid }) => pid);
  const memory = watchMemory(pids);
  const measured: PhaseFigures[] = [];
  try {
    clients.setPhase('warm-up');
    await wait(WARM_UP_MS);
    clients.setPhase(BASELINE);
    const idle_cpu = sumCpu(pids);
    memory.takePeak();
    await wait(RUN_MS * BASELINE_SHARE);
    const idle = memory.now();
    measured.push({
      name: BASELINE,
      ...measureUsage(idle_cpu, RUN_MS * BASELINE_SHARE, idle),
      peak: memory.takePeak(),
    });

    for (const phase of phases) {
      const before = memory.now();
      const cpu = sumCpu(pids);
      const begun = performance.now();
      memory.takePeak();
      clients.begin(phase.name);
      await wait(phase.shares * share_ms);
      const answers: Counts = await clients.end();
      const figures = { ...measureUsage(cpu, performance.now() - begun, before), peak: memory.takePeak() };
      const recovery_ms = await measureRecovery(after);
      measured.push({ name: phase.name, ...figures, recovery_ms });
      console.log(`${phase.name}: recovered after ${Math.round(recovery_ms)} ms; ${JSON.stringify(answers)}`);
      await wait(REST_MS);
    }
    const report = await clients.finish();
    const alive = harness.services.every((one) => one.isAlive());
    return printFigures({ measured, report, alive, idle, postgres: readPostgresBytes(`${harness.folder}/postgres`) });
  } finally {
    memory.stop();
    clients.close();
  }
}

function sumCpu(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + readProcessCpu(pid), 0);
}

/** @param cpu CPU time of the service at the start of the phase */
function measureUsage(cpu: number, took_ms: number, before: number) {
  const pids = harness.services.map(({ pid }) => pid);
  return { cpu_share: (sumCpu(pids) - cpu) / took_ms, before };
}

/** Milliseconds until a small plan that is submitted now has a result. */
async function measureRecovery({ url, headers }: Target): Promise<number> {
  const client = createClient(url, 1);
  const begun = performance.now();
  const body = { slug: `fresh-${randomUUID().slice(0, 8)}`, display_name: 'Fresh' };
  const { id } = await call(client, 'POST', '/api/v2/orgs', headers, body);
  const plan = { plan_json: '{"format_version":"1.2","resource_changes":[]}' };
  const { job_id } = await call(client, 'POST', `/api/v2/orgs/${id}/analyze`, headers, plan);
  while ((await call(client, 'GET', `/api/v2/orgs/${id}/llm-jobs/${job_id}`, headers)).status === 'pending')
    await wait(100);
  client.close();
  return performance.now() - begun;
}

/** A user with organizations and a webhook. */
async function makeTarget(
  { url, folder }: ServiceHarness,
  name: keyof typeof ADDRESSES,
  count: number,
): Promise<Target> {
  const client = createClient(url, 1);
  const token = await signDevToken({ data_dir: folder, email: `${name}@example.com`, production: false });
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': ADDRESSES[name] };
  const orgs: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { slug: `${name}-${n}`, display_name: `${name} ${n}` };
    orgs.push((await call(client, 'POST', '/api/v2/orgs', headers, body)).id);
  }
  const repository = { provider: 'github', repo_path: `${name}/infra`, enabled: true };
  const config = await call(client, 'POST', `/api/v2/orgs/${orgs[0]}/webhook-configs`, headers, repository);
  client.close();
  const webhook = { config_id: config.id, secret: config.raw_secret };
  return { url, headers, orgs, webhook, shapes: values.shapes === undefined ? null : resolve(values.shapes) };
}

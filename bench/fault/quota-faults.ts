/**
 * `node dist/bench/fault/quota-faults.js [--jobs 500] [--kills 20]`: submits plans for organizations on every price
 * plan, to a platform model that fails three of ten calls, and kills worker processes while they work. Exits with 1 if
 * a usage counter differs from the number of explained jobs, or a job is lost or duplicated. Everything runs on
 * loopback, in a temporary folder that is removed.
 */
import { parseArgs } from 'node:util';
import { createRandom, generatePlanText } from '../plan/plan-generator.ts';
import { createWaiter, killDuringRun, openHarness } from './harness.ts';
import {
  buildModelSettings,
  dropConnection,
  type Respond,
  respondLater,
  respondText,
  respondWith,
  startModelServer,
} from './model-server.ts';
import { type Ledger, openLedger } from './quota-ledger.ts';

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '500' }, kills: { type: 'string', default: '20' } },
});
const jobs = Number(values.jobs);
const kills = Number(values.kills);
const WORKERS = 2;
const TIMEOUT_MS = 300_000;
const RESOURCES = 10;
const TRY_MS = 1_500;

/** Jobs that the quota of each plan allows, and one more, which is rejected until a reservation is released. */
const SUBMITTED = { free: 6, team: 21, enterprise: 31 };
const PLANS = Object.keys(SUBMITTED) as (keyof typeof SUBMITTED)[];

/** Each fails five of a hundred calls. */
const FAULTS: [name: string, respond: Respond][] = [
  ['status 500', respondWith(500, { error: { message: 'Internal error' } })],
  ['status 429', respondWith(429, { error: { message: 'Slow down' } }, { 'retry-after': '1' })],
  ['dropped connection', dropConnection],
  ['no answer in time', respondLater(2 * TRY_MS, respondText())],
  ['unusable answer', respondText({ content: 'Sure! Everything is fine.' })],
  ['refusal', respondText({ refusal: 'I cannot help with that.' })],
];
const FAULT_SHARE = 0.05;

const started_at = Date.now();
const random = createRandom(7);
const model = await startModelServer(() => {
  const fault = FAULTS[Math.floor(random() / FAULT_SHARE)];
  return fault ?? ['good answer', respondLater(20 + 80 * random(), respondText())];
});
const env = { ...buildModelSettings(model), LLM_TIMEOUT_MS: String(TRY_MS), ANALYZE_CONCURRENCY: '4' };
const harness = await openHarness({ workers: WORKERS, env });
const ledger = await openLedger(harness.owner_url);
try {
  process.exitCode = (await run(ledger)) ? 0 : 1;
} finally {
  await ledger.close();
  await harness.close();
  await model.close();
}

async function run({ buckets, billed, held, misfiled }: Ledger): Promise<boolean> {
  const { effects, fleet } = harness;
  const until = createWaiter(TIMEOUT_MS);
  const submitting = submitAll();
  await killDuringRun(fleet, { jobs, kills, done: effects.done, until });
  const { orgs, denied } = await submitting;
  const in_time = await until(async () => (await effects.ended()) === jobs);

  const counters = await buckets();
  const figures = {
    jobs,
    orgs: orgs.length,
    kills: fleet.kills(),
    denied,
    done: await effects.done(),
    failed: await effects.failed(),
    lost: jobs - (await effects.ended()),
    doubled: await effects.doubled(),
    interrupted: await effects.interrupted(),
    billed: await billed(),
    held: await held(),
    misfiled: await misfiled(),
    counters: counters.length,
    counters_wrong: counters.filter((one) => one.used !== one.billed).length,
    usage_wrong: await countWrongUsage(orgs),
    seconds: Math.round((Date.now() - started_at) / 1000),
  };
  console.table(figures);
  console.table(Object.fromEntries(model.calls));
  const { held: left, misfiled: wrong_reservations, counters_wrong, usage_wrong, doubled, lost, failed } = figures;
  const wrong = left + wrong_reservations + counters_wrong + usage_wrong + doubled + lost + failed;
  return in_time && wrong === 0 && figures.billed > 0 && figures.billed < jobs;
}

/** Submits until this many jobs are accepted; a rejected submission is not a job. */
async function submitAll(): Promise<{ orgs: string[]; denied: number }> {
  const plan_json = generatePlanText(RESOURCES);
  const orgs: string[] = [];
  let accepted = 0;
  let denied = 0;
  while (accepted < jobs) {
    const plan = PLANS[orgs.length % PLANS.length] ?? 'free';
    const made = await harness.post('/api/v2/orgs', { slug: `fault-${orgs.length}`, display_name: 'Fault' });
    const id = String(made.body['id']);
    orgs.push(id);
    await ledger.setPlan(id, plan);
    for (let n = 0; n < SUBMITTED[plan] && accepted < jobs; n++) {
      const { status, body } = await harness.post(`/api/v2/orgs/${id}/analyze`, { plan_json });
      if (status === 202) accepted += 1;
      else if (status === 402 || status === 429) denied += 1;
      else throw new Error(`POST analyze: ${status} ${JSON.stringify(body)}`);
    }
  }
  return { orgs, denied };
}

/** Organizations whose usage in the API differs from the usage of their jobs, for the current week or hour. */
async function countWrongUsage(orgs: string[]): Promise<number> {
  const counters = await ledger.buckets();
  let wrong = 0;
  for (const id of orgs) {
    const { body } = await harness.get(`/api/v2/orgs/${id}/llm-usage`);
    const billedIn = (kind: string, resets_at: unknown, length_ms: number) => {
      const start = Date.parse(String(resets_at)) - length_ms;
      const own = counters.filter((one) => one.org_id === id && one.kind === kind);
      return own.find(({ window_start }) => window_start.getTime() === start)?.billed ?? 0;
    };
    const weekly = billedIn('weekly', body['week_resets_at'], 7 * 86_400_000);
    const hourly = billedIn('hourly', body['hour_resets_at'], 3_600_000);
    if (body['weekly_used'] !== weekly || body['hourly_used'] !== hourly) wrong += 1;
  }
  return wrong;
}

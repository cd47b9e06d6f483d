/**
 * `node dist/bench/fault/kill-worker.js [--jobs 1000] [--kills 50] [--backend postgres|redis]`: submits plans over HTTP
 * and kills worker processes while they work. Exits with 1 if a job is lost or has its effect twice. Everything runs on
 * loopback, in a temporary folder that is removed.
 */
import { parseArgs } from 'node:util';
import { generatePlanText } from '../plan/plan-generator.ts';
import { createWaiter, killDuringRun, openHarness, type Post } from './harness.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '50' },
    backend: { type: 'string', default: 'postgres' },
  },
});
const jobs = Number(values.jobs);
const kills = Number(values.kills);
const WORKERS = 2;
/** Number of plans that an organization may submit per hour. */
const JOBS_PER_ORG = 30;
const TIMEOUT_MS = 180_000;
const RESOURCES = 40;

const started_at = Date.now();
const harness = await openHarness({ workers: WORKERS, backend: values.backend });
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await harness.close();
}

async function run(): Promise<boolean> {
  const { effects, fleet, post } = harness;
  const until = createWaiter(TIMEOUT_MS);
  const submitting = submitAll(post);
  await killDuringRun(fleet, { jobs, kills, done: effects.done, until });
  await submitting;
  const in_time = await until(async () => (await effects.ended()) === jobs);

  const figures = {
    backend: values.backend,
    jobs,
    kills: fleet.kills(),
    done: await effects.done(),
    failed: await effects.failed(),
    lost: jobs - (await effects.ended()),
    without_result: await effects.without_result(),
    doubled: await effects.doubled(),
    interrupted: await effects.interrupted(),
    seconds: Math.round((Date.now() - started_at) / 1000),
  };
  console.table(figures);
  return in_time && figures.done === jobs && figures.doubled === 0 && figures.without_result === 0;
}

async function submitAll(post: Post): Promise<void> {
  const plan_json = generatePlanText(RESOURCES);
  const expectDone = async (path: string, body: unknown) => {
    const answer = await post(path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (let submitted = 0; submitted < jobs; submitted += JOBS_PER_ORG) {
    const org = await expectDone('/api/v2/orgs', { slug: `fault-${submitted}`, display_name: 'Fault' });
    const count = Math.min(JOBS_PER_ORG, jobs - submitted);
    for (let n = 0; n < count; n++) await expectDone(`/api/v2/orgs/${org['id']}/analyze`, { plan_json });
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, compactPlan, createClient } from '../../sdk/src/index.ts';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import { buildModelSettings, respondText, startModelServer } from '../fault/model-server.ts';
import { CLI, type ServerProcess, startServer } from '../lib/process.ts';
import type { BenchRow } from '../lib/row.ts';
import { computeMedian } from '../lib/statistics.ts';
import { generatePlanText } from '../plan/plan-generator.ts';

const ROUNDS = 25;
const WARM_UP = 5;
const SIZES = [100, 1_000];
const GOAL_MS = 50;
const POLL_MS = 10;

/** M1: the time that a model with immediate answers adds to an analysis, from its acceptance to its result. */
export async function benchLlmStage(): Promise<BenchRow[]> {
  const model = await startModelServer(() => ['usable', respondText()]);
  const parts: { server: ServerProcess; data_dir: string }[] = [];
  const start = async (env: Record<string, string>) => {
    const data_dir = await mkdtemp(join(tmpdir(), 'dpa-bench-model-'));
    const args = [CLI, 'serve', '--port', '0', '--data-dir', data_dir];
    const server = await startServer(args, { ...process.env, LOG_LEVEL: 'warn', ...env });
    parts.push({ server, data_dir });
    const token = await signDevToken({ data_dir, email: 'bench@example.com', production: false });
    return createClient({ base_url: server.url, token });
  };
  try {
    const asking = await start(buildModelSettings(model));
    const bare = await start({});
    const rows: BenchRow[] = [];
    for (const size of SIZES) rows.push(await measure(asking, bare, size));
    return rows;
  } finally {
    for (const { server, data_dir } of parts) {
      await server.stop();
      await rm(data_dir, { recursive: true, force: true });
    }
    await model.close();
  }
}

async function measure(asking: Client, bare: Client, size: number): Promise<BenchRow> {
  const plan_json = compactPlan(generatePlanText(size));
  const [with_model, without]: [number[], number[]] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const slug = `bench-${size}-${round + WARM_UP}`;
    const [a, b] = [await measureAnalysisMs(asking, slug, plan_json), await measureAnalysisMs(bare, slug, plan_json)];
    if (round < 0) continue;
    with_model.push(a);
    without.push(b);
  }
  const added = computeMedian(with_model) - computeMedian(without);
  return {
    id: size === SIZES[0] ? 'M1' : 'M2',
    what: `time that an instant model adds to an analysis of ${size} changes`,
    limit: GOAL_MS,
    measured: added,
    unit: 'ms',
    goal: `≤ ${GOAL_MS} ms p50`,
    passed: added <= GOAL_MS,
    note: `${computeMedian(without)} ms without, ${computeMedian(with_model)} ms with`,
  };
}

/** Uses a new organization for each analysis, because their number per hour is limited. */
async function measureAnalysisMs(client: Client, slug: string, plan_json: string): Promise<number> {
  const { id } = await client.call('createOrg', { body: { slug, display_name: slug } });
  const { job_id } = await client.call('analyzePlan', { path: { id }, body: { plan_json } });
  for (;;) {
    const job = await client.call('getLlmJob', { path: { id, job_id } });
    if (job.status === 'error') throw new Error(`the analysis failed: ${job.error}`);
    if (job.finished_at !== null) return Date.parse(job.finished_at) - Date.parse(job.created_at);
    await wait(POLL_MS);
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compactPlan, type PlanAnalysis, renderMarkdown } from '../../../engine/index.ts';
import { readInput } from '../input.ts';
import { createServiceClient } from '../service-client.ts';

const BUNDLED_PLAN = 'cli/demo/plan.json';
const EMAIL = 'demo@localhost';
const ROWS = 50;

export interface DemoOptions {
  dataDir?: string;
}

/**
 * The whole way of a plan, on this machine alone: starts the embedded stack on free ports, submits the plan over HTTP,
 * waits for the job, prints the comment and stops everything. The data folder stays, so that a second run is quick.
 */
export async function demo(
  path: string | undefined,
  { dataDir = process.env['DATA_DIR'] ?? '.dpa' }: DemoOptions,
): Promise<void> {
  const plan = path === undefined ? await readBundledPlan() : await readAll(path);
  const plan_json = Buffer.from(compactPlan(plan)).toString('utf8');

  say(`starting PostgreSQL, API and worker (data in ${dataDir}) …`);
  const { loadConfig } = await import('../../../server/config.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { startService } = await import('../../../server/main.ts');
  // Not this shell's configuration: a demo must never reach somebody's real database.
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const service = await startService(config, { role: 'all', log: createLogger(config, process.stderr) });
  try {
    const analysis = await judge(String(service.url), config.data_dir, plan_json);
    process.stdout.write(renderMarkdown(analysis, { top: ROWS }));
  } finally {
    await service.stop();
  }
}

async function judge(url: string, data_dir: string, plan_json: string): Promise<PlanAnalysis> {
  const { signDevToken } = await import('../../../server/adapters/oidc/index.ts');
  const token = await signDevToken({ data_dir, email: EMAIL, name: 'Demo', production: false });
  const client = createServiceClient(url, token);
  const orgId = await client.ensureOrg('demo', 'Demo');
  say(`submitting the plan to ${url} …`);
  const analysis = await client.analyze(orgId, plan_json);
  say('what the comment on the pull request would say:\n');
  return analysis;
}

async function readBundledPlan(): Promise<Uint8Array> {
  const { packageRoot } = await import('../../../server/lib/package-root.ts');
  return readFile(join(packageRoot(), BUNDLED_PLAN));
}

async function readAll(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readInput(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

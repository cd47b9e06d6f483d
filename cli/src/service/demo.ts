import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PlanAnalysis, renderMarkdown } from '../../../engine/index.ts';
import { type Client, createClient } from '../../../sdk/src/index.ts';
import { readAllInput } from '../input.ts';

const BUNDLED_PLAN = 'cli/demo/plan.json';
const EMAIL = 'demo@localhost';
const ORG = { slug: 'demo', display_name: 'Demo' };
const ROWS = 50;
/** A separate folder, because the first user of a service can become its admin, and that must not be the demo user. */
const DATA_DIR = '.dpa-demo';

export interface DemoOptions {
  dataDir?: string;
}

/**
 * Starts the embedded stack on free ports, submits a plan over HTTP, waits for the job, prints the comment and stops
 * everything. The data folder is kept, so that a second run starts faster.
 */
export async function demo(path: string | undefined, { dataDir = DATA_DIR }: DemoOptions): Promise<void> {
  const plan = path === undefined ? await readBundledPlan() : await readAllInput(path);

  printStatus(`starting PostgreSQL, API and worker (data in ${dataDir}) …`);
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { startService } = await import('../../../server/main.ts');
  // Ignores the configuration of this shell: a demo must never use a real database.
  const config = loadConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const service = await startService(config, { role: 'all', log: createLogger(config, process.stderr) });
  try {
    const analysis = await judge(String(service.url), config.data_dir, plan);
    process.stdout.write(renderMarkdown(analysis, { top: ROWS }));
  } finally {
    await service.stop();
  }
}

async function judge(url: string, data_dir: string, plan: Uint8Array): Promise<PlanAnalysis> {
  const { signDevToken } = await import('../../../server/adapters/oidc/index.ts');
  const token = await signDevToken({ data_dir, email: EMAIL, name: 'Demo', production: false });
  const client = createClient({ base_url: url, token });
  const org_id = await ensureOrg(client);
  printStatus(`submitting the plan to ${url} …`);
  const analysis = await client.analyze({ org_id, plan });
  printStatus('the comment on the pull request:\n');
  // The service has the same version as this code.
  return analysis as PlanAnalysis;
}

async function ensureOrg(client: Client): Promise<string> {
  for await (const org of client.paginate('listOrgs')) if (org.slug === ORG.slug) return org.id;
  return (await client.call('createOrg', { body: ORG })).id;
}

async function readBundledPlan(): Promise<Uint8Array> {
  const { packageRoot } = await import('../../../server/lib/package-root.ts');
  return readFile(join(packageRoot(), BUNDLED_PLAN));
}

function printStatus(text: string): void {
  process.stderr.write(`${text}\n`);
}

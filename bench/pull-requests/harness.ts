import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from '../../sdk/src/index.ts';
import { signDevToken } from '../../server/adapters/oidc/index.ts';
import type { Delivery, GithubActivity } from '../../test/fakes/github-server/deliveries.ts';
import { startGithubServer } from '../../test/fakes/github-server.ts';
import { createZip } from '../../test/fakes/zip.ts';
import { CLI, startServer } from '../lib/process.ts';

/** A repository with a webhook. Each is a separate source with its own rate limits. */
export interface WiredRepo {
  org_id: string;
  config_id: string;
  repo: string;
  secret: string;
}

export type PullRequestHarness = Awaited<ReturnType<typeof openHarness>>;

/** Starts the whole service in one process, as `dpa serve` does, and a fake GitHub on loopback. */
export async function openHarness() {
  const github = await startGithubServer();
  const data_dir = await mkdtemp(join(tmpdir(), 'dpa-bench-pr-'));
  const server = await startServer([CLI, 'serve', '--port', '0', '--data-dir', data_dir], {
    ...process.env,
    LOG_LEVEL: 'warn',
    EGRESS_ALLOWED_HOSTS: [github.url, github.storage_url].map((url) => new URL(url).host).join(','),
    RATE_LIMIT_PER_IP: '1000000',
    RATE_LIMIT_PER_CREDENTIAL: '1000000',
    RATE_LIMIT_BURST: '100000',
    RATE_LIMIT_PER_ORG: '1000000',
  });
  const token = await signDevToken({ data_dir, email: 'bench@example.com', production: false });
  const dpa = createClient({ base_url: server.url, token });

  async function wire(name: string): Promise<WiredRepo> {
    const repo = `${name}/infra`;
    github.addRepo(repo);
    const { id: org_id } = await dpa.call('createOrg', { body: { slug: name, display_name: name } });
    const config = await dpa.call('createWebhookConfig', {
      path: { id: org_id },
      body: {
        provider: 'github',
        enabled: true,
        repo_path: repo,
        provider_base_url: github.url,
        api_token: github.addToken(`${name}-bot`, [repo]),
      },
    });
    return { org_id, config_id: config.id, repo, secret: config.raw_secret ?? '' };
  }

  /** A finished run of this commit that has one plan as an artifact. @returns the delivery that GitHub would send */
  async function run({ repo, secret }: WiredRepo, head_sha: string, plan: string): Promise<Delivery> {
    const zip = await createZip({ 'plan.json': plan });
    const { id: run_id } = github.addRun(repo, { head_sha, artifacts: [{ name: 'tfplan', zip }] });
    return createDelivery({ secret }, { event: 'workflow_run', repo, run_id });
  }

  function createDelivery({ secret }: Pick<WiredRepo, 'secret'>, activity: GithubActivity): Delivery {
    return github.deliver(activity, { secret, hook: 'repository' });
  }

  async function post({ config_id }: Pick<WiredRepo, 'config_id'>, { headers, body }: Delivery): Promise<number> {
    const url = `${server.url}/api/v2/webhooks/github/${config_id}`;
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    await response.text();
    return response.status;
  }

  return {
    github,
    dpa,
    wire,
    run,
    createDelivery,
    post,
    async close() {
      await server.stop();
      await github.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** Polls until the condition is met. */
export async function until(
  what: string,
  deadline_ms: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const end = Date.now() + deadline_ms; Date.now() < end; await wait(1)) {
    if (await condition()) return;
  }
  throw new Error(`${what}: not within ${deadline_ms} ms`);
}

/** All incoming deliveries of a webhook. */
export async function fetchDeliveries(dpa: Client, { org_id, config_id }: WiredRepo) {
  const all = [];
  const query = { limit: 200, direction: 'in' as const };
  for await (const one of dpa.paginate('listWebhookDeliveries', { path: { id: org_id, config_id }, query }))
    all.push(one);
  return all;
}

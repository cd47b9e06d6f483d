import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery, GithubActivity } from '../../fakes/github-server/deliveries.ts';
import { type GithubServer, startGithubServer } from '../../fakes/github-server.ts';
import { createZip } from '../../fakes/zip.ts';
import { type Answer, type Caller, startTestService, type TestService } from '../../helpers/service.ts';

const DEADLINE_MS = 30_000;

export interface Wired {
  org_id: string;
  owner: Caller;
  config_id: string;
  receiver: string;
  secret: string;
  repo: string;
}

/** The service with a fake GitHub. Its bot uses the APIs of both, and receives events only by webhook. */
export async function startGithubHarness(env: Record<string, string> = {}) {
  const github = await startGithubServer();
  const hosts = [github.url, github.storage_url].map((url) => new URL(url).host).join(',');
  const service = await startTestService({ EGRESS_ALLOWED_HOSTS: hosts, PLAN_THREADS: '2', ...env });

  /** An organization with a repository that has a webhook. */
  async function wire(slug: string, repo = `${slug}/infra`): Promise<Wired> {
    const owner = await service.signIn(slug);
    const { body: org } = await owner.post('/api/v2/orgs', { slug, display_name: slug });
    github.addRepo(repo);
    const { status, body } = await owner.post(`/api/v2/orgs/${org.id}/webhook-configs`, {
      provider: 'github',
      repo_path: repo,
      provider_base_url: github.url,
      api_token: github.addToken(`${slug}-bot`, [repo]),
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    const { id: config_id, raw_secret: secret } = body;
    return { org_id: org.id, owner, config_id, receiver: `/api/v2/webhooks/github/${config_id}`, secret, repo };
  }

  async function send({ receiver }: Pick<Wired, 'receiver'>, { headers, body }: Delivery): Promise<Answer> {
    return service.anonymous.send('POST', receiver, body.toString(), headers);
  }

  async function deliverActivity(wired: Wired, activity: GithubActivity): Promise<Delivery> {
    const delivery = github.deliver(activity, { secret: wired.secret, hook: 'repository' });
    const { status, body } = await send(wired, delivery);
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
    return delivery;
  }

  /** A run of the head commit with each plan as an artifact, delivered to the service. */
  async function plan(wired: Wired, pr_number: number, plans: Record<string, string>): Promise<{ run_id: number }> {
    const head_sha = getHeadSha(github, wired.repo, pr_number);
    const artifacts = await Promise.all(
      Object.entries(plans).map(async ([name, text]) => ({ name, zip: await createZip({ 'plan.json': text }) })),
    );
    const { id: run_id } = github.addRun(wired.repo, { head_sha, artifacts });
    await deliverActivity(wired, { event: 'workflow_run', repo: wired.repo, run_id });
    return { run_id };
  }

  return {
    github,
    service,
    wire,
    send,
    deliverActivity,
    plan,
    waitUntilSettled: () => waitUntilSettled(service),
    async close() {
      await service.close();
      await github.stop();
    },
  };
}

export type GithubHarness = Awaited<ReturnType<typeof startGithubHarness>>;

export function getHeadSha(github: GithubServer, repo: string, pr_number: number): string {
  const pull = github.state.repos.get(repo.toLowerCase())?.pulls.get(pr_number);
  const head = pull?.commits.at(-1);
  if (head === undefined) throw new Error(`no pull request ${pr_number} of ${repo}`);
  return head;
}

/** Resolves when all deliveries are handled, jobs have ended, pull requests are published and events are decided. */
export async function waitUntilSettled({ admin_db }: Pick<TestService, 'admin_db'>): Promise<void> {
  for (const until = Date.now() + DEADLINE_MS; Date.now() < until; ) {
    const { rows } = await admin_db.raw(`select
      (select count(*) from webhook_deliveries where direction = 'in' and finished_at is null)
      + (select count(*) from llm_jobs where status in ('pending', 'running'))
      + (select count(*) from pull_requests where revision > published_revision or lease_token is not null)
      + (select count(*) from notification_events where decided_at is null)
      + (select count(*) from outbox where published_at is null and available_at <= now()) as left`);
    if (Number(rows[0].left) === 0) return;
    await wait(20);
  }
  throw new Error('the bot is still busy after half a minute');
}

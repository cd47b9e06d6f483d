import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../../../server/main.ts';
import type { Delivery, GithubActivity } from '../../fakes/github-server/deliveries.ts';
import { startGithubServer } from '../../fakes/github-server.ts';
import { createZip } from '../../fakes/zip.ts';
import { CALLBACK_PATH, submitForm } from '../../helpers/github-callback.ts';
import { type Answer, type Caller, startTestService } from '../../helpers/service.ts';
import { getHeadSha, waitUntilSettled } from './harness.ts';

const DEADLINE_MS = 30_000;

export interface Linked {
  org_id: string;
  owner: Caller;
  /** IDs of the installation in the service and at GitHub. */
  row_id: string;
  installation_id: number;
  repo: string;
}

/** API, bot and worker, each with its own state like a process, and a fake GitHub with an App. */
export async function startAppHarness() {
  const github = await startGithubServer();
  const service = await startTestService({ ...github.environment, TRUSTED_PROXIES: '1' }, 'api');
  await service.startProcess('bot', { BOT_API_URL: service.url });
  let worker: Service | undefined;
  let visits = 0;

  /** An organization whose owner has installed the App on one repository and linked it. */
  async function link(slug: string): Promise<Linked> {
    const owner = await service.signIn(slug);
    const { body: org } = await owner.post('/api/v2/orgs', { slug, display_name: slug });
    const repo = `${slug}/infra`;
    github.addRepo(repo);
    const installation_id = github.install([repo], { visible_to: [slug] });
    const redirect_url = await returnFromGithub(owner, org.id, { login: slug, installation_id });
    if (!redirect_url.endsWith('?scm=connected')) throw new Error(`not linked: ${redirect_url}`);
    const { body } = await owner.get(`/api/v2/orgs/${org.id}/scm-installations`);
    return { org_id: org.id, owner, row_id: body.scm_installations[0].id, installation_id, repo };
  }

  /** Requests an install link, returns from GitHub as this person, and confirms. @returns the final location */
  async function returnFromGithub(
    owner: Caller,
    org_id: string,
    { login, installation_id }: { login: string; installation_id: number },
  ): Promise<string> {
    const url = `/api/v2/orgs/${org_id}/scm-installations/install-url`;
    const { body } = await owner.post(url, { provider: 'github' });
    const state = new URL(body.install_url).searchParams.get('state') ?? '';
    const code = github.code(login);
    const query = new URLSearchParams({
      state,
      code,
      installation_id: String(installation_id),
      setup_action: 'install',
    });
    visits += 1;
    const from = { 'x-forwarded-for': `10.0.0.${visits}` };
    const callback_answer = await service.anonymous.get(`${CALLBACK_PATH}?${query}`, from);
    const { headers } =
      callback_answer.status === 200
        ? await submitForm(service.anonymous, callback_answer, { headers: from })
        : callback_answer;
    return headers.get('location') ?? '';
  }

  /** The payload of the App's hook. */
  async function deliverActivity(activity: GithubActivity): Promise<Answer> {
    return send(github.deliver(activity));
  }

  async function send({ headers, body }: Delivery): Promise<Answer> {
    return service.anonymous.send('POST', '/api/v2/webhooks/github', body.toString(), headers);
  }

  /** A run of the head commit with this plan as its artifact. @returns the run to deliver */
  async function plan({ repo }: Pick<Linked, 'repo'>, pr_number: number, text: string): Promise<Delivery> {
    const artifacts = [{ name: 'tfplan', zip: await createZip({ 'plan.json': text }) }];
    const { id: run_id } = github.addRun(repo, { head_sha: getHeadSha(github, repo, pr_number), artifacts });
    return github.deliver({ event: 'workflow_run', repo, run_id });
  }

  return {
    github,
    service,
    link,
    returnFromGithub,
    deliverActivity,
    send,
    plan,
    async stopWorker(): Promise<void> {
      await worker?.stop();
      worker = undefined;
    },
    /** Resolves when all deliveries, jobs and pull requests are finished. */
    async waitUntilSettled(): Promise<void> {
      worker ??= await service.startProcess('worker');
      await waitUntilSettled(service);
    },
    async close() {
      await service.close();
      await github.stop();
    },
  };
}

export type AppHarness = Awaited<ReturnType<typeof startAppHarness>>;

/** Polls until the condition is met. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; await wait(20)) if (isSo()) return;
  throw new Error(`not within half a minute: ${what}`);
}

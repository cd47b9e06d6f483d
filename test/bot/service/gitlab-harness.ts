import { buildHookHeaders } from '../../fakes/gitlab-server/hooks.ts';
import type { MergeRequest, Note, Project, Token, User } from '../../fakes/gitlab-server/types.ts';
import { startGitlabServer } from '../../fakes/gitlab-server.ts';
import { createZip } from '../../fakes/zip.ts';
import { type Answer, type Caller, startTestService } from '../../helpers/service.ts';
import { waitUntilSettled } from './harness.ts';

/** What the bot writes triggers hooks again: more rounds than this are an endless loop. */
const MOST_ROUNDS = 10;

export interface WiredProject {
  org_id: string;
  owner: Caller;
  config_id: string;
  secret: string;
  project: Project;
  bot: User;
  token: Token;
  developer: User;
  guest: User;
}

export interface Hook {
  event: string;
  payload: object;
}

/** The service with a fake GitLab, which delivers all hooks, including those of the bot's own writes. */
export async function startGitlabHarness() {
  const gitlab = await startGitlabServer();
  const hosts = [gitlab.url, gitlab.state.storage_url].map((url) => new URL(url).host).join(',');
  const service = await startTestService({ EGRESS_ALLOWED_HOSTS: hosts, PLAN_THREADS: '2' });
  const wired = new Map<string, WiredProject>();
  let delivered_count = 0;

  /** An organization with a project that has a webhook. */
  async function wire(slug: string): Promise<WiredProject> {
    const owner = await service.signIn(slug);
    const { body: org } = await owner.post('/api/v2/orgs', { slug, display_name: slug });
    const [bot, developer, guest] = ['bot', 'dev', 'guest'].map((role) => gitlab.addUser(`${slug}-${role}`));
    if (bot === undefined || developer === undefined || guest === undefined) throw new Error('no users');
    const members: [User, number][] = [
      [bot, 30],
      [developer, 30],
      [guest, 10],
    ];
    const project = gitlab.addProject(`${slug}/platform/infra`, { members });
    const token = gitlab.addToken(bot);
    const { status, body } = await owner.post(`/api/v2/orgs/${org.id}/webhook-configs`, {
      provider: 'gitlab',
      repo_path: project.path,
      provider_base_url: gitlab.url,
      api_token: token.value,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    const { id: config_id, raw_secret: secret } = body;
    const made = { org_id: org.id, owner, config_id, secret, project, bot, token, developer, guest };
    wired.set(project.path, made);
    return made;
  }

  /** A hook as GitLab sends it: with the secret itself, or signed. A repetition has the same ID. */
  async function send(
    { config_id, secret }: Pick<WiredProject, 'config_id' | 'secret'>,
    { event, payload }: Hook,
    options: { signed?: boolean; id?: string } = {},
  ): Promise<Answer> {
    const text = JSON.stringify(payload);
    const headers = buildHookHeaders(event, text, { secret, ...options });
    return service.anonymous.send('POST', `/api/v2/webhooks/gitlab/${config_id}`, text, headers);
  }

  /** Resolves when all hooks are delivered, including those that they cause, and their work is finished. */
  async function deliverAllHooks(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const hooks = gitlab.state.hooks.slice(delivered_count);
      delivered_count += hooks.length;
      if (hooks.length === 0) return;
      for (const hook of hooks) await deliver(hook);
      await waitUntilSettled(service);
    }
    throw new Error('what the bot writes makes it write again, without end');
  }

  async function deliver(hook: Hook): Promise<void> {
    const { project } = hook.payload as { project: { path_with_namespace: string } };
    const to = wired.get(project.path_with_namespace);
    if (to === undefined) throw new Error(`${project.path_with_namespace} has no webhook`);
    const { status, body } = await send(to, hook);
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  }

  /** A pipeline of a merge request with these plans by job name; its hook is not delivered yet. */
  async function pipeline({ developer }: WiredProject, merge_request: MergeRequest, plans: Record<string, string>) {
    const { project, iid, versions } = merge_request;
    const sha = versions.at(-1)?.head_sha ?? '';
    const jobs = await Promise.all(
      Object.entries(plans).map(async ([name, text]) => ({ name, archive: await createZip({ 'plan.json': text }) })),
    );
    const ref = `refs/merge-requests/${iid}/head`;
    return gitlab.runPipeline(project, {
      sha,
      ref,
      source: 'merge_request_event',
      user: developer,
      merge_request,
      jobs,
    });
  }

  return {
    gitlab,
    service,
    wire,
    send,
    deliverAllHooks,
    pipeline,
    async close() {
      await service.close();
      await gitlab.close();
    },
  };
}

export type GitlabHarness = Awaited<ReturnType<typeof startGitlabHarness>>;

/** Notes of this user, without system notes. */
export function listNotesBy({ notes }: MergeRequest, author: User): Note[] {
  return notes.filter((note) => note.author === author && !note.system);
}

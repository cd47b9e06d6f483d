import { pino } from 'pino';
import type { GuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { createIssueTrackers } from '../../../../server/adapters/scm/issues/index.ts';
import { createPace } from '../../../../server/adapters/scm/pace.ts';
import type { RepositoryAccess } from '../../../../server/adapters/scm/per-repository.ts';
import { startGithubServer } from '../../../fakes/github-server.ts';
import { startGitlabServer } from '../../../fakes/gitlab-server.ts';

/** Follows no redirects, like the guarded fetch. */
const plain: GuardedFetch = (url, init) => fetch(url, { ...init, redirect: 'manual' });

/** A failure of the next requests with this method. */
export interface HostFault {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  status: number;
  headers?: Record<string, string>;
  /** The request is processed, and only its response is lost. */
  is_processed?: boolean;
}

/** A fake Git host with one repository whose issues can be written. */
export interface FakeIssueHost {
  access: RepositoryAccess;
  issues(): { number: number; title: string; body: string; is_open: boolean; comments: string[] }[];
  deleteIssues(): void;
  /** Adds an issue or a comment of another person. */
  addForeignIssue(body: string): void;
  fail(fault: HostFault): void;
  turnOffIssues(): void;
  archive(): void;
  hideRepository(): void;
  takePermission(): void;
  stop(): Promise<void>;
}

export async function startGithubIssues(): Promise<FakeIssueHost> {
  const server = await startGithubServer();
  const repo_path = 'acme/infra';
  const repo = server.addRepo(repo_path);
  const api_token = server.addToken('dpa-bot', [repo_path], { issues: 'write', metadata: 'read' });
  const stranger = server.addToken('stranger', [repo_path], { issues: 'write' });
  const path = new RegExp(`^/repos/${repo_path}/issues`);
  return {
    access: { provider: 'github', provider_base_url: server.url, repo_path, api_token },
    issues: () =>
      repo.issues.map(({ number, title, body, state }) => ({
        ...{ number, title, body, is_open: state === 'open' },
        comments: repo.comments.filter((one) => one.pr_number === number).map((one) => one.body),
      })),
    deleteIssues: () => void repo.issues.splice(0),
    addForeignIssue(body) {
      const author = server.state.tokens.get(stranger)!.owner;
      if (author.kind !== 'user') throw new Error('not a person');
      const at = new Date();
      const issue = { id: server.state.nextId(), number: 1_001 + repo.issues.length, title: 'Drift', body };
      repo.issues.push({ ...issue, author: author.account, state: 'open', created_at: at, updated_at: at });
    },
    fail({ method, status, headers = {}, is_processed = false }) {
      server.fail({ method, path, how: is_processed ? 'drop-after' : { status, headers } });
    },
    turnOffIssues: () => void Object.assign(repo, { has_issues: false }),
    archive: () => void Object.assign(repo, { archived: true }),
    hideRepository: () => server.setToken(api_token, { repos: [] }),
    takePermission: () => server.setToken(api_token, { grants: { issues: 'read', metadata: 'read' } }),
    stop: () => server.stop(),
  };
}

export async function startGitlabIssues(): Promise<FakeIssueHost> {
  const server = await startGitlabServer();
  const repo_path = 'group/sub/infra';
  const [bot, stranger] = [server.addUser('dpa-bot'), server.addUser('stranger')];
  const project = server.addProject(repo_path, { members: [[bot, 30]] });
  const { value: api_token } = server.addToken(bot);
  return {
    access: { provider: 'gitlab', provider_base_url: server.url, repo_path, api_token },
    issues: () =>
      project.issues.map(({ iid, title, description, state, notes }) => ({
        ...{ number: iid, title, body: description, is_open: state === 'opened' },
        comments: notes.map(({ body }) => body),
      })),
    deleteIssues: () => void project.issues.splice(0),
    addForeignIssue(description) {
      const at = new Date().toISOString();
      const issue = { id: 1, iid: project.issues.length + 1, title: 'Drift', description, author: stranger };
      project.issues.push({ ...issue, state: 'opened', created_at: at, updated_at: at, notes: [] });
    },
    fail({ method, status, headers = {}, is_processed = false }) {
      const match = new RegExp(`^${method === 'PATCH' ? 'PUT' : method} /api/v4/projects/[^/]+/issues`);
      server.fail({ match, status: is_processed ? 0 : status, headers, after: is_processed });
    },
    turnOffIssues: () => void Object.assign(project, { issues_enabled: false }),
    archive: () => void Object.assign(project, { archived: true }),
    hideRepository: () => void project.members.clear(),
    takePermission: () => void project.members.set(bot.id, 10),
    stop: () => server.close(),
  };
}

/** Trackers whose waits move a clock instead; `waits` has their lengths. */
export function createTrackers() {
  const waits: number[] = [];
  let clock = 0;
  const sleep = async (ms: number) => {
    waits.push(ms);
    clock += ms;
  };
  const newPace = () => createPace({ clock_ms: () => clock, sleep, random: () => 0.5, longest_wait_ms: 5_000 });
  const log = pino({ level: 'silent' });
  return { open: createIssueTrackers({ fetch: plain, now: () => new Date(), log, newPace }), waits };
}

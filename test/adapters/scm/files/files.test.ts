import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { GuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { createCommitOnce } from '../../../../server/adapters/scm/files/index.ts';
import { createPace } from '../../../../server/adapters/scm/pace.ts';
import type { RepositoryAccess } from '../../../../server/adapters/scm/per-repository.ts';
import { startGithubServer } from '../../../fakes/github-server.ts';
import { startGitlabServer } from '../../../fakes/gitlab-server.ts';

const FILE = { branch: null, path: 'audit/0001.txt', text: 'a note — signed\n', message: 'Add a note' };
/** Follows no redirects, like the guarded fetch. */
const plain: GuardedFetch = (url, init) => fetch(url, { ...init, redirect: 'manual' });

interface FakeRepository {
  access: RepositoryAccess;
  /** Messages of the commits, oldest first. */
  commits(): string[];
  read(path: string): string | undefined;
  /** Fails the next commit. */
  fail(status: number, is_processed?: boolean): void;
  hide(): void;
  takePermission(): void;
  stop(): Promise<unknown>;
}

async function startGithub(): Promise<FakeRepository> {
  const server = await startGithubServer();
  const repo = server.addRepo('acme/audit');
  const api_token = server.addToken('bot', ['acme/audit'], { contents: 'write', metadata: 'read' });
  return {
    access: { provider: 'github', provider_base_url: server.url, repo_path: 'acme/audit', api_token },
    commits: () => repo.commits.map(({ message }) => message),
    read: (path) => repo.files.get(`main:${path}`)?.toString(),
    fail: (status, is_processed = false) =>
      server.fail({ method: 'PUT', path: /contents/, how: is_processed ? 'drop-after' : { status, headers: {} } }),
    hide: () => server.setToken(api_token, { repos: [] }),
    takePermission: () => server.setToken(api_token, { grants: { contents: 'read', metadata: 'read' } }),
    stop: () => server.stop(),
  };
}

async function startGitlab(): Promise<FakeRepository> {
  const server = await startGitlabServer();
  const bot = server.addUser('bot');
  const project = server.addProject('group/audit', { members: [[bot, 30]] });
  const { value: api_token } = server.addToken(bot);
  const head = () => project.commits.get(project.branches.get('main') ?? '');
  const [first] = project.commits.keys();
  return {
    access: { provider: 'gitlab', provider_base_url: server.url, repo_path: 'group/audit', api_token },
    commits: () => [...project.commits.values()].filter(({ sha }) => sha !== first).map(({ message }) => message),
    read: (path) => head()?.files[path],
    fail: (status, is_processed = false) =>
      server.fail({ match: /^POST .*\/files\//, status: is_processed ? 0 : status, headers: {}, after: is_processed }),
    hide: () => void project.members.clear(),
    takePermission: () => void project.members.set(bot.id, 20),
    stop: () => server.close(),
  };
}

describe.each([
  ['GitHub', startGithub],
  ['GitLab', startGitlab],
])('a file that is committed to %s', (_name, start) => {
  let repository: FakeRepository;
  let commitOnce: ReturnType<typeof createCommitOnce>;
  beforeEach(async () => {
    repository = await start();
    const newPace = () => createPace({ clock_ms: () => 0, sleep: async () => {}, random: () => 0.5 });
    commitOnce = createCommitOnce({ fetch: plain, now: () => new Date(), log: pino({ level: 'silent' }), newPace });
  });
  afterEach(() => repository.stop());

  test('is one commit, however often it is sent', async () => {
    expect(await commitOnce(repository.access, FILE)).toBe(true);
    expect(await commitOnce(repository.access, FILE)).toBe(true);
    expect(await commitOnce(repository.access, { ...FILE, branch: 'main' })).toBe(true);

    expect(repository.read(FILE.path)).toBe(FILE.text);
    expect(repository.commits()).toEqual([FILE.message]);
  });

  test('never replaces another file', async () => {
    await commitOnce(repository.access, { ...FILE, text: 'another note\n' });

    expect(await commitOnce(repository.access, FILE)).toBe(false);
    expect(repository.read(FILE.path)).toBe('another note\n');
  });

  test.each([400, 409, 422])('is sent again after a conflict (%i)', async (status) => {
    repository.fail(status);

    expect(await commitOnce(repository.access, FILE)).toBe(true);
    expect(repository.commits()).toEqual([FILE.message]);
  });

  test('is not committed twice if the response was lost', async () => {
    repository.fail(0, true);

    expect(await commitOnce(repository.access, FILE)).toBe(true);
    expect(repository.commits()).toEqual([FILE.message]);
  });

  test('is refused when the token may not write, and when the repository is hidden', async () => {
    repository.takePermission();
    await expect(commitOnce(repository.access, FILE)).rejects.toMatchObject({ error_class: 'forbidden' });
    repository.hide();
    await expect(commitOnce(repository.access, FILE)).rejects.toMatchObject({ error_class: 'gone' });

    expect(repository.commits()).toEqual([]);
  });

  test('is refused on a branch that does not accept it', async () => {
    for (let count = 0; count < 3; count += 1) repository.fail(400);

    await expect(commitOnce(repository.access, FILE)).rejects.toMatchObject({ error_class: 'rejected' });
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createGithubApp, type GithubApp } from '../../../server/adapters/scm/github-app/index.ts';
import { type GithubServer, startGithubServer } from '../../fakes/github-server.ts';

let server: GithubServer;
let github: GithubApp;
beforeAll(async () => {
  server = await startGithubServer({ slug: 'acme-plans' });
  github = createGithubApp(server.app);
});
afterEach(() => {
  server.state.faults.length = 0;
});
afterAll(() => server.stop());

test('an installation is found on any page of the installations of the user', async () => {
  server.addRepo('acme/infra');
  for (let i = 0; i < 100; i += 1) server.install([], { login: `org-${i}`, visible_to: ['ana'] });
  const id = server.install(['acme/infra'], { visible_to: ['ana', 'bob'] });
  const other = server.install(['acme/infra'], { login: 'other', visible_to: ['bob'] });

  expect((await github.findManaged(server.code('ana'), id))?.installation).toEqual({
    installation_id: id,
    account_login: 'acme',
    account_type: 'Organization',
    account_avatar_url: expect.stringContaining('/avatars/'),
    repository_selection: 'selected',
    permissions: expect.objectContaining({ checks: 'write', contents: 'read' }),
    is_suspended: false,
    html_url: `${server.url}/organizations/acme/settings/installations/${id}`,
  });
  expect(await github.findManaged(server.code('ana'), other)).toBeUndefined();
  expect((await github.findManaged(server.code('bob'), id))?.login).toBe('bob');
});

describe('the managers of an installation', () => {
  const repos = Array.from({ length: 130 }, (_, i) => `wide/repo-${i}`);
  const manages = async (login: string, id: number) => (await github.findManaged(server.code(login), id)) !== undefined;
  let id: number;
  beforeAll(() => {
    for (const repo of repos) server.addRepo(repo);
    id = server.install(repos, { visible_to: ['olga', 'adam', 'rita', 'mary', 'paul'], owned_by: ['olga'] });
    for (const repo of repos) {
      server.setPermission(repo, 'adam', 'admin');
      server.setPermission(repo, 'rita', repo === 'wide/repo-129' ? 'write' : 'admin');
      server.setPermission(repo, 'mary', 'read');
    }
    for (const repo of repos.slice(0, 129)) server.setPermission(repo, 'paul', 'admin');
  });

  test.each([
    ['olga', 'owns its account', true],
    ['adam', 'administers all its repositories', true],
    ['rita', 'only writes to the last of its repositories', false],
    ['mary', 'only reads its repositories', false],
    ['paul', 'cannot see the last of its repositories', false],
    ['eve', 'cannot see it', false],
  ])('the installation is managed by %s, who %s: %p', async (login, _why, expected) => {
    expect(await manages(login, id)).toBe(expected);
  });

  test('the owner of the personal account manages an installation without repositories', async () => {
    server.code('nina');
    const own = server.install([], { login: 'nina', visible_to: ['nina', 'mary'], owned_by: [] });

    expect(await manages('nina', own)).toBe(true);
    expect(await manages('mary', own)).toBe(false);
  });

  test('an installation of an organization without repositories has no manager', async () => {
    const empty = server.install([], { login: 'empty', visible_to: ['olga'] });

    expect(await manages('olga', empty)).toBe(false);
  });
});

test('a code works once', async () => {
  const code = server.code('ana');
  await github.findManaged(code, 1);

  await expect(github.findManaged(code, 1)).rejects.toMatchObject({ name: 'GithubAppError', error_class: 'refused' });
});

test.each([
  ['no connection', null, 'unavailable'],
  ['a fault', { status: 502, body: {} }, 'unavailable'],
  ['a limit', { status: 429, body: {} }, 'unavailable'],
  ['a primary rate limit', { status: 403, body: {}, headers: { 'x-ratelimit-remaining': '0' } }, 'unavailable'],
  ['a secondary rate limit', { status: 403, body: {}, headers: { 'retry-after': '60' } }, 'unavailable'],
  ['a refusal', { status: 403, body: {} }, 'refused'],
  [
    'a redirect, which is not followed',
    { status: 302, body: {}, headers: { location: '/api/v3/user' } },
    'unavailable',
  ],
] as const)('%s is reported as %j', async (_title, trouble, error_class) => {
  const id = server.install([]);
  server.fail({ path: /./, how: trouble ?? 'drop' });
  const before = server.requests.length;

  const failed = await github.listRepositories(id, { limit: 100, offset: 0 }).catch((error: unknown) => error);

  expect(failed).toMatchObject({ name: 'GithubAppError', error_class });
  expect(server.requests.length).toBe(before + 1);
});

test('errors do not contain requests or responses', async () => {
  server.fail({ path: /./, how: { status: 403, body: { message: 'hunter2' } } });
  const failed = await github.findManaged(server.code('ana'), 1).catch((error: unknown) => error);

  expect(failed).toMatchObject({ error_class: 'refused' });
  const serialized = JSON.stringify(failed, Object.getOwnPropertyNames(failed));
  for (const secret of ['hunter2', server.app.client_secret, 'ghu_']) expect(serialized).not.toContain(secret);
});

test('only the pages of GitHub that overlap the requested page are fetched', async () => {
  const repos = Array.from({ length: 250 }, (_, i) => `acme/repo-${i}`);
  for (const repo of repos) server.addRepo(repo);
  const id = server.install(repos);
  const names = async (limit: number, offset: number) => {
    const { repositories, total } = await github.listRepositories(id, { limit, offset });
    return [repositories.map(({ full_name }) => full_name), total];
  };

  expect(await names(500, 0)).toEqual([repos, 250]);
  expect(await names(100, 95)).toEqual([repos.slice(95, 195), 250]);
  const before = server.requests.length;
  expect(await names(10, 1_000_000)).toEqual([[], 250]);
  expect(server.requests.slice(before).filter(({ query }) => query['page'] === '10001')).toHaveLength(1);
});

test('an installation that no longer exists has no repositories', async () => {
  const id = server.install([]);
  server.uninstall(id);

  await expect(github.listRepositories(id, { limit: 1, offset: 0 })).rejects.toMatchObject({ error_class: 'refused' });
});

test("the install URL points to the operator's GitHub host", () => {
  const at = (web_url: string) => createGithubApp({ ...server.app, web_url }).installUrl('a.b');

  expect(at('https://github.com')).toBe('https://github.com/apps/acme-plans/installations/new?state=a.b');
  expect(at('https://acme.ghe.com')).toBe('https://acme.ghe.com/apps/acme-plans/installations/new?state=a.b');
  expect(at('https://git.example')).toBe('https://git.example/github-apps/acme-plans/installations/new?state=a.b');
  expect(github.authorizeUrl('a.b')).toBe(
    `${server.url}/login/oauth/authorize?client_id=${server.app.client_id}&state=a.b`,
  );
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EgressError } from '../../../../server/adapters/egress/index.ts';
import type { Platform, PullRequestRef } from '../../../../server/adapters/scm/types.ts';
import { PlatformError } from '../../../../server/adapters/scm/types.ts';
import { type GithubServer, startGithubServer } from '../../../fakes/github-server.ts';
import { all, openGithub } from './open-github.ts';

const REPO = 'acme/infra';
/** Everything except the date. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

let server: GithubServer;
let installation_id: number;
let token: string;
let app: Platform;
let user: Platform;
let waits: number[];
let pr: PullRequestRef;

beforeAll(async () => {
  server = await startGithubServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.addRepo(REPO);
  server.requests.length = 0;
  server.state.faults.length = 0;
  server.limitWrites(null);
  server.setRate(15_000, 0);
  installation_id = server.install([REPO]);
  token = server.addToken('ci-bot', [REPO]);
  const opened = openGithub(server);
  waits = opened.waits;
  app = opened.github.open({ installation_id });
  user = opened.github.open({ provider_base_url: server.url, api_token: token });
  pr = { repo: REPO, pr_number: server.openPullRequest(REPO).number };
});
afterEach(() => {
  jest.useRealTimers();
});

const asked = (path: RegExp) => server.requests.filter((request) => path.test(request.path)).length;

describe('limits', () => {
  test('the secondary rate limit is waited for, and every comment is written once', async () => {
    server.limitWrites({ count: 2, window_ms: 60_000, retry_after: 30 });
    await user.createComment(pr, '1');
    await user.createComment(pr, '2');
    const third = user.createComment(pr, '3');

    await expect(third).rejects.toMatchObject({ error_class: 'rate_limited', retry_after: 30 });

    expect(waits).toEqual([30_000, 30_000, 30_000]);
    server.limitWrites(null);
    await user.createComment(pr, '3');
    expect(server.comments(REPO, pr.pr_number).map(({ body }) => body)).toEqual(['1', '2', '3']);
  });

  test('a secondary rate limit without a time is detected by its message', async () => {
    server.limitWrites({ count: 0, window_ms: 60_000, retry_after: null });

    await expect(user.createComment(pr, '1')).rejects.toMatchObject({ error_class: 'rate_limited', retry_after: null });

    expect(waits).toEqual([60_000, 60_000, 60_000]);
  });

  test('an exhausted hourly limit is reported with its end, and no request is sent before', async () => {
    server.setRate(0, Math.ceil(Date.now() / 1_000) + 1_800);
    const refused = { error_class: 'rate_limited', retry_after: expect.any(Number) };

    await expect(user.getPullRequest(pr)).rejects.toMatchObject(refused);
    await expect(user.getPullRequest(pr)).rejects.toMatchObject(refused);

    expect(asked(/pulls/)).toBe(1);
    expect(waits).toEqual([]);
  });

  test('the rate limit of one source does not affect another', async () => {
    server.fail({ path: /pulls/, how: { status: 429, headers: { 'retry-after': '900' } } });
    await expect(user.getPullRequest(pr)).rejects.toMatchObject({ error_class: 'rate_limited', retry_after: 900 });

    expect(await app.getPullRequest(pr)).toMatchObject(pr);
  });

  test('ten comments are written at once, the eleventh after a second', async () => {
    for (let index = 0; index < 11; index += 1) await app.createComment(pr, `comment ${index}`);

    expect(waits).toEqual([1_000]);
  });
});

describe('failures', () => {
  test.each([[502], [503], [500]])('a %d is retried three times if that is safe', async (status) => {
    const { id } = await app.createComment(pr, 'one');
    server.fail({ path: /comments\/\d+$/, times: 3, how: { status } });

    expect(await app.updateComment(pr, id, 'two')).toBe(true);

    expect(asked(/comments\/\d+$/)).toBe(4);
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  test('a broken connection is reported as unavailable', async () => {
    server.fail({ path: /pulls/, times: 9, how: 'drop' });

    await expect(app.getPullRequest(pr)).rejects.toMatchObject({ error_class: 'unavailable' });

    expect(asked(/pulls/)).toBe(4);
  });

  test('a comment that may have been created is not created again', async () => {
    server.fail({ method: 'POST', path: /comments$/, how: 'drop-after' });

    await expect(app.createComment(pr, 'one')).rejects.toMatchObject({ error_class: 'unavailable' });

    expect(await all(app.listOwnComments(pr))).toHaveLength(1);
  });

  test('a response that is not JSON causes no crash', async () => {
    server.fail({ path: /access_tokens/, how: { status: 502, body: '<html>' } });

    expect(await app.getPullRequest(pr)).toMatchObject(pr);
  });

  test('a page of a proxy is not a response of GitHub', async () => {
    server.fail({ path: /pulls/, how: { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } } });

    expect(await user.getPullRequest(pr)).toMatchObject(pr);

    expect(asked(/pulls/)).toBe(2);
  });

  test.each([
    ['https://github.com', 'https://api.github.com/repos/acme/infra/pulls/1'],
    ['https://git.example', 'https://git.example/api/v3/repos/acme/infra/pulls/1'],
  ])('the API of %s is requested, and only once if its address is rejected', async (provider_base_url, url) => {
    const urls: string[] = [];
    const { github } = openGithub(server, async (to) => {
      urls.push(to);
      throw new EgressError('refused', 'it resolves to an address that is not on the public internet');
    });

    const asking = github.open({ provider_base_url, api_token: 'x' }).getPullRequest({ repo: REPO, pr_number: 1 });

    await expect(asking).rejects.toMatchObject({ error_class: 'rejected' });
    expect(urls).toEqual([url]);
  });

  test('a redirect to another origin is not followed, because it would leak the token', async () => {
    const location = `${server.storage_url}/repos/acme/infra/pulls/1`;
    server.fail({ path: /pulls/, how: { status: 301, headers: { location } } });

    await expect(app.getPullRequest(pr)).rejects.toMatchObject({ error_class: 'gone' });

    expect(server.downloads).toEqual([]);
  });

  test('no error message contains text of GitHub or of the request', async () => {
    server.fail({ path: /comments$/, how: { status: 422, body: { message: 'secret words' } } });

    const error = await app.createComment(pr, 'secret body').catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({
      error_class: 'rejected',
      message: 'could not write a comment: GitHub returned status 422',
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/secret|github_pat|ghs_/);
  });
});

describe('access', () => {
  test('that is revoked between two pages ends the list with an error', async () => {
    for (let index = 0; index < 150; index += 1) server.comment(REPO, pr.pr_number, 'ci-bot', `noise ${index}`);
    const comments = user.listOwnComments(pr)[Symbol.asyncIterator]();
    await comments.next();
    server.setToken(token, { repos: [] });

    const rest = (async () => {
      for (;;) if ((await comments.next()).done) return;
    })();

    await expect(rest).rejects.toMatchObject({ error_class: 'gone' });
  });

  test('without the permission is forbidden, and access of a removed or suspended installation is unavailable', async () => {
    const to = (call: () => Promise<unknown>) => call().catch((error: PlatformError) => error.error_class);
    server.setInstallation(installation_id, { grants: { pull_requests: 'read' } });
    expect(await to(() => app.createComment(pr, 'x'))).toBe('forbidden');
    server.setInstallation(installation_id, { suspended: true });
    expect(await to(() => app.getPullRequest(pr))).toBe('forbidden');
    server.setInstallation(installation_id, { suspended: false, repos: [] });
    expect(await to(() => app.getPullRequest(pr))).toBe('gone');
    const { github } = openGithub(server);
    expect(await to(() => github.open({ installation_id: 1 }).getPullRequest(pr))).toBe('gone');
    server.setToken(token, { expires_at: 1 });
    expect(await to(() => user.getPullRequest(pr))).toBe('forbidden');
  });

  test('with a token of the App is cached for an hour, and renewed if the token is rejected earlier', async () => {
    await app.getPullRequest(pr);
    await app.getPullRequest(pr);
    expect(asked(/access_tokens/)).toBe(1);
    server.revokeInstallationTokens();
    // For its first seconds, a rejected token may not have reached all of GitHub yet.
    jest.useFakeTimers({ now: Date.now() + 10_000, doNotFake: [...TIMERS] });

    expect(await app.getPullRequest(pr)).toMatchObject(pr);

    expect(asked(/access_tokens/)).toBe(2);
  });

  test('to an invalid repository name is rejected without a request', async () => {
    await expect(app.readFile('group/sub/project', 'x', 'y')).rejects.toMatchObject({ error_class: 'rejected' });

    expect(server.requests).toEqual([]);
  });
});

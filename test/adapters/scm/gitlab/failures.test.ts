import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import type { GuardedFetch } from '../../../../server/adapters/egress/index.ts';
import { createGitlab } from '../../../../server/adapters/scm/gitlab/index.ts';
import { PlatformError } from '../../../../server/adapters/scm/types.ts';
import { catchPlatformError, collected, getHeadSha, loopbackFetch, type Setup, setUp } from './setup.ts';

const silent = pino({ level: 'silent' });

describe('when GitLab returns an error', () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp();
  });
  beforeEach(() => {
    setup.slept.length = 0;
    setup.server.state.requests.length = 0;
  });
  afterAll(async () => setup.server.close());

  test.each([
    [401, 'forbidden'],
    [403, 'forbidden'],
    [404, 'gone'],
    [410, 'gone'],
    [301, 'gone'],
    [400, 'rejected'],
    [422, 'rejected'],
  ] as const)(
    'status %i becomes %s without a retry and without the text of the response',
    async (status, error_class) => {
      const { server, platform, pr } = setup;
      server.fail({
        status,
        body: { message: 'leaked words' },
        headers: { location: `${server.state.storage_url}/away` },
      });

      const failure = await catchPlatformError(platform.getPullRequest(pr));
      expect(failure).toMatchObject({ error_class, message: expect.stringContaining(String(status)) });
      expect(failure.message).not.toContain('leaked');
      expect(server.state.requests).toHaveLength(1);
    },
  );

  test('reads and updates are retried after an outage, creations are not', async () => {
    const { server, platform, pr, merge_request } = setup;
    const { id } = await platform.createComment(pr, 'one');

    server.fail({ status: 502, times: 2 });
    expect(await platform.getPullRequest(pr)).toMatchObject(pr);
    server.fail({ status: 0, match: /^PUT/ });
    expect(await platform.updateComment(pr, id, 'two')).toBe(true);
    const notes = merge_request.notes.length;
    server.fail({ status: 503, match: /^POST/, after: true });
    expect(await catchPlatformError(platform.createComment(pr, 'three'))).toMatchObject({ error_class: 'unavailable' });
    expect(merge_request.notes).toHaveLength(notes + 1);
  });

  test('the client waits for Retry-After, unless that is more than a minute', async () => {
    const { server, platform, pr, slept, gitlab, access } = setup;
    server.fail({ status: 429, headers: { 'retry-after': '7' }, body: 'Retry later\n' });
    await platform.createComment(pr, 'patient');
    expect(slept.some((ms) => ms === 7_000)).toBe(true);

    const other = gitlab.open({ ...access, id: 'another configuration' });
    server.fail({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await catchPlatformError(other.getPullRequest(pr))).toMatchObject({
      error_class: 'rate_limited',
      retry_after: 3600,
    });
  });

  test('a token that is revoked in between ends the listing', async () => {
    const { server, platform, pr, token, merge_request, bot } = setup;
    for (let i = 0; i < 120; i += 1) server.comment(merge_request, bot, 'ours');
    const items = platform.listOwnComments(pr)[Symbol.asyncIterator]();
    expect((await items.next()).done).toBe(false);

    token.revoked = true;
    const rest = async () => {
      while (!(await items.next()).done);
    };
    expect(await catchPlatformError(rest())).toMatchObject({ error_class: 'forbidden' });
    token.revoked = false;
  });

  test('a read-only token cannot write, and a token of another user sees nothing', async () => {
    const { server, gitlab, access, bot, pr } = setup;
    const reader = gitlab.open({ ...access, api_token: server.addToken(bot, ['read_api']).value });
    const stranger = gitlab.open({ ...access, api_token: server.addToken(server.addUser('stranger')).value });

    expect(await catchPlatformError(reader.createComment(pr, 'no'))).toMatchObject({ error_class: 'forbidden' });
    expect(await catchPlatformError(stranger.findPullRequest(pr.repo, getHeadSha(setup)))).toMatchObject({
      error_class: 'gone',
    });
    expect(await catchPlatformError(collected(stranger.listOwnComments(pr)))).toMatchObject({ error_class: 'gone' });
  });

  test.each([
    ['HTML', '<html>sign in</html>'],
    ['another shape', { iid: 'one' }],
  ])('a response in %s is an outage', async (_name, body) => {
    const { server, platform, pr } = setup;
    server.fail({ status: 200, body, times: 10, match: /merge_requests/ });

    expect(await catchPlatformError(platform.getPullRequest(pr))).toMatchObject({ error_class: 'unavailable' });
    server.state.faults.length = 0;
  });

  test('random responses cause only PlatformErrors, and every listing ends', async () => {
    const { access, pr } = setup;
    const answer = fc.oneof(fc.jsonValue(), fc.constantFrom([], [{}], {}, [{ id: 1, iid: 1 }]));
    let next = 0;
    const endless = { link: '<https://gitlab.example.com/api/v4/x?page=9>; rel="next"' };
    const hostile = async (body: unknown) => {
      next += 1;
      return Response.json(body ?? null, { headers: { ...endless, 'x-next-page': String((next % 3) + 1) } });
    };
    const check = { head_sha: 'a', conclusion: null, title: 't', summary: '', text: '', url: null };

    await fc.assert(
      fc.asyncProperty(answer, async (body) => {
        const { open } = createGitlab({ fetch: async () => hostile(body), now: () => new Date(), log: silent });
        const platform = open({ ...access, provider_base_url: 'https://gitlab.example.com' });
        const asked = [
          platform.findPullRequest(pr.repo, 'a'),
          platform.getPullRequest(pr),
          platform.listRuns(pr.repo, 'a'),
          platform.listArtifacts(pr.repo, { id: '1', number: 1, head_sha: 'a', url: '' }),
          collected(platform.listOwnComments(pr)),
          platform.createComment(pr, 'text'),
          platform.setCheck(pr, null, check),
          platform.isApproved(pr),
          platform.readPermission(pr.repo, 'dev'),
          platform.react(pr, '1'),
        ];
        const failures = (await Promise.allSettled(asked)).flatMap((one) =>
          one.status === 'rejected' ? [one.reason] : [],
        );
        return failures.every((failure) => failure instanceof PlatformError);
      }),
      { numRuns: 30 },
    );
  });

  test('a GitLab with a path prefix is called with the prefix, and Retry-After can be a date', async () => {
    const { server, access, pr } = setup;
    const asked: string[] = [];
    const fetch: GuardedFetch = (url, init) => {
      asked.push(url);
      return loopbackFetch(url.replace('/gitlab/', '/'), init);
    };
    const now = new Date('2026-01-02T03:04:05Z');
    const { open } = createGitlab({ fetch, now: () => now, log: silent });
    const platform = open({ ...access, provider_base_url: `${server.url}/gitlab/` });
    await collected(platform.listOwnComments(pr));
    expect(asked.every((url) => url.startsWith(`${server.url}/gitlab/api/v4/`))).toBe(true);

    server.fail({ status: 429, headers: { 'retry-after': 'Fri, 02 Jan 2026 03:34:05 GMT' } });
    expect(await catchPlatformError(platform.getPullRequest(pr))).toMatchObject({ retry_after: 1_800 });
  });

  test('a forbidden address is reported as such', async () => {
    const refused = Object.assign(new Error('10.0.0.1 is not on the public internet'), { reason: 'refused' });
    const fetch = async () => {
      throw refused;
    };
    const gitlab = createGitlab({ fetch, now: () => new Date(), log: silent });

    const failure = await catchPlatformError(gitlab.open(setup.access).getPullRequest(setup.pr));
    expect(failure).toMatchObject({ error_class: 'rejected', message: refused.message });
    expect(failure).toBeInstanceOf(PlatformError);
  });

  test('equal access shares one platform and one rate limit', () => {
    const { gitlab, access, platform } = setup;

    expect(gitlab.open({ ...access })).toBe(platform);
    expect(gitlab.open({ ...access, api_token: 'glpat-other' })).not.toBe(platform);
  });
});

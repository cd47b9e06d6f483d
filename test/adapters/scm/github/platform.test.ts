import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckUpdate, Platform, PullRequestRef } from '../../../../server/adapters/scm/types.ts';
import { type GithubServer, startGithubServer } from '../../../fakes/github-server.ts';
import { all, openGithub } from './open-github.ts';

const REPO = 'acme/infra';
const SHA = 'a'.repeat(40);

let server: GithubServer;
let installation_id: number;
let token: string;
let app: Platform;
let user: Platform;
let pr: PullRequestRef;
let head_sha: string;

beforeAll(async () => {
  server = await startGithubServer();
  server.addRepo(REPO);
  installation_id = server.install([REPO]);
  token = server.addToken('ci-bot', [REPO]);
  const { github } = openGithub(server);
  app = github.open({ installation_id });
  user = github.open({ provider_base_url: server.url, api_token: token });
});
afterAll(() => server.stop());
beforeEach(() => {
  const pull = server.openPullRequest(REPO);
  pr = { repo: REPO, pr_number: pull.number };
  head_sha = pull.commits[0]!;
});

function update(changes: Partial<CheckUpdate> = {}): CheckUpdate {
  const url = 'https://dpa.example/jobs/1';
  return { head_sha, conclusion: 'success', title: 'Low risk', summary: 'Fine.', text: '', url, ...changes };
}

describe('pull requests', () => {
  test('are read in their current state', async () => {
    const opened = await app.getPullRequest(pr);
    server.setPullRequest(REPO, pr.pr_number, { state: 'closed', merged: true });

    expect(opened).toEqual({
      ...pr,
      url: `${server.url}/acme/infra/pull/${pr.pr_number}`,
      state: 'open',
      head_sha,
      branch: `change-${pr.pr_number}`,
      base_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      is_fork: false,
    });
    expect(await user.getPullRequest(pr)).toEqual({ ...opened, state: 'merged' });
  });

  test('are found only by their head, not by another commit they contain', async () => {
    const second = server.push(REPO, pr.pr_number);

    expect(await app.findPullRequest(REPO, second)).toMatchObject(pr);
    expect(await app.findPullRequest(REPO, head_sha)).toBeNull();
  });

  test('of a fork are found among the open ones', async () => {
    const { number, commits } = server.openPullRequest(REPO, { fork: 'someone/infra' });

    const found = await app.findPullRequest(REPO, commits[0]!);

    expect(found).toMatchObject({ pr_number: number, is_fork: true });
  });

  test('of our own are found by their head even if a fork proposes the same commit', async () => {
    const sha = '5'.repeat(40);
    const fork = server.openPullRequest(REPO, { fork: 'someone/infra', head_sha: sha });
    const { number } = server.openPullRequest(REPO, { head_sha: sha });

    expect(fork.number).toBeLessThan(number);
    expect(await app.findPullRequest(REPO, sha)).toMatchObject({ pr_number: number, is_fork: false });
  });

  test('are not found if they are closed or the commit is unknown', async () => {
    server.setPullRequest(REPO, pr.pr_number, { state: 'closed' });

    expect(await app.findPullRequest(REPO, head_sha)).toBeNull();
    expect(await app.findPullRequest(REPO, SHA)).toBeNull();
  });

  test('of a renamed repository are found by its old name', async () => {
    server.addRepo('acme/old');
    server.setInstallation(installation_id, { repos: [REPO, 'acme/old'] });
    const { number } = server.openPullRequest('acme/old');
    server.renameRepo('acme/old', 'acme/new');

    expect(await app.getPullRequest({ repo: 'acme/old', pr_number: number })).toMatchObject({ pr_number: number });
  });
});

describe('runs and artifacts', () => {
  test('a rerun has a higher number, and a later run an even higher one', async () => {
    const first = server.addRun(REPO, { head_sha });
    server.addRun(REPO, { head_sha, status: 'in_progress', conclusion: null });
    const [before] = await app.listRuns(REPO, head_sha);
    server.rerun(REPO, first.id);
    const later = server.addRun(REPO, { head_sha });

    const runs = await app.listRuns(REPO, head_sha);

    expect(runs.map(({ id }) => id)).toEqual([String(later.id), String(first.id)]);
    expect(runs[1]!.number).toBe(before!.number + 1);
    expect(runs[0]!.number).toBeGreaterThan(runs[1]!.number);
  });

  test('all artifacts are listed, except expired and replaced ones', async () => {
    const names = Array.from({ length: 130 }, (_, index) => ({ name: `plan-${index}`, zip: Buffer.from('PK') }));
    const run = server.addRun(REPO, { head_sha, artifacts: names });
    const again = server.addArtifact(REPO, run, 'plan-7', Buffer.from('PKnew'));
    server.addArtifact(REPO, run, 'old', Buffer.from('PK')).expired = true;
    const [listed] = await app.listRuns(REPO, head_sha);

    const artifacts = await app.listArtifacts(REPO, listed!);

    expect(artifacts).toHaveLength(130);
    expect(artifacts.find(({ name }) => name === 'plan-7')).toEqual({ id: `${again.id}`, name: 'plan-7', size: 5 });
  });

  test.each([['app'], ['user']] as const)(
    'the %s downloads from another origin without sending its token',
    async (who) => {
      const zip = Buffer.from('PK\u0003\u0004 and more');
      const run = server.addRun(REPO, { head_sha, artifacts: [{ name: 'plan', zip }] });
      const platform = who === 'app' ? app : user;
      const [artifact] = await platform.listArtifacts(REPO, { id: `${run.id}`, number: 1, head_sha, url: '' });
      server.downloads.length = 0;

      const bytes = await platform.downloadArtifact(REPO, artifact!, 1_000);

      expect(Buffer.from(bytes)).toEqual(zip);
      expect(server.downloads).toHaveLength(1);
      expect(server.downloads[0]!.headers.authorization).toBeUndefined();
    },
  );

  test('an artifact that is too large is not requested, and one with a false size is not read further', async () => {
    const { artifacts } = server.state.repos.get(REPO)!;
    server.addRun(REPO, { head_sha, artifacts: [{ name: 'plan', zip: Buffer.alloc(300_000) }] });
    const id = String(artifacts.at(-1)!.id);
    server.downloads.length = 0;

    const known = app.downloadArtifact(REPO, { id, name: 'plan', size: 300_000 }, 100_000);
    await expect(known).rejects.toMatchObject({ error_class: 'too_large' });
    expect(server.downloads).toHaveLength(0);
    const unknown = app.downloadArtifact(REPO, { id, name: 'plan', size: null }, 100_000);
    await expect(unknown).rejects.toMatchObject({ error_class: 'too_large' });
  });

  test('an expired artifact is gone, and a failing storage is retried', async () => {
    const { artifacts } = server.state.repos.get(REPO)!;
    server.addRun(REPO, { head_sha, artifacts: [{ name: 'plan', zip: Buffer.from('PK') }] });
    const artifact = { id: String(artifacts.at(-1)!.id), name: 'plan', size: 2 };

    server.fail({ path: /^storage:/, how: 'drop' });
    expect(await app.downloadArtifact(REPO, artifact, 10)).toHaveLength(2);
    artifacts.at(-1)!.expired = true;
    await expect(app.downloadArtifact(REPO, artifact, 10)).rejects.toMatchObject({ error_class: 'gone' });
  });
});

describe('files', () => {
  test('are read at their commit; missing files, large files and directories are null', async () => {
    server.setFile(REPO, SHA, '.drift.yml', 'artifacts: ["é*"]\n');
    server.setFile(REPO, SHA, 'dir/.drift.yml', 'x');
    server.setFile(REPO, SHA, 'large', Buffer.alloc(65_537));
    server.setFile(REPO, SHA, 'huge', Buffer.alloc(1_100_000));

    expect(await app.readFile(REPO, '.drift.yml', SHA)).toBe('artifacts: ["é*"]\n');
    expect(await app.readFile(REPO, 'dir/.drift.yml', SHA)).toBe('x');
    for (const path of ['none', 'dir', 'large', 'huge']) expect(await app.readFile(REPO, path, SHA)).toBeNull();
    expect(await app.readFile(REPO, '.drift.yml', head_sha)).toBeNull();
  });
});

describe('comments', () => {
  test.each([['app'], ['user']] as const)('the %s finds its own among 230 of all pages, oldest first', async (who) => {
    const platform = who === 'app' ? app : user;
    const first = await platform.createComment(pr, 'first of ours');
    for (let index = 0; index < 228; index += 1) server.comment(REPO, pr.pr_number, 'dev', `noise ${index}`);
    const last = await platform.createComment(pr, 'last of ours');
    server.requests.length = 0;

    const own = await all(platform.listOwnComments(pr));

    expect(own).toEqual([
      { ...first, body: 'first of ours' },
      { ...last, body: 'last of ours' },
    ]);
    expect(server.requests.filter(({ path }) => path.endsWith('/comments'))).toHaveLength(3);
  });

  test('of a person are not ours, even if they were written through our App', async () => {
    server.comment(REPO, pr.pr_number, 'dev', 'theirs').app_id = server.app.app_id;

    expect(await all(app.listOwnComments(pr))).toEqual([]);
  });

  test('are read page by page, only as far as needed', async () => {
    await app.createComment(pr, 'ours');
    for (let index = 0; index < 150; index += 1) server.comment(REPO, pr.pr_number, 'dev', `noise ${index}`);
    server.requests.length = 0;

    for await (const _comment of app.listOwnComments(pr)) break;

    expect(server.requests).toHaveLength(1);
  });

  test('are updated in place; a deleted one is reported', async () => {
    const { id } = await app.createComment(pr, 'one');

    expect(await app.updateComment(pr, id, 'two')).toBe(true);
    const [kept] = server.comments(REPO, pr.pr_number);
    expect(kept!.history.map(({ body }) => body)).toEqual(['one', 'two']);
    server.deleteComment(REPO, Number(id));
    expect(await app.updateComment(pr, id, 'three')).toBe(false);
  });

  test('that are too long for GitHub are truncated, with a line that says so', async () => {
    await app.createComment(pr, 'é'.repeat(70_000));

    const { body } = server.comments(REPO, pr.pr_number)[0]!;

    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_000);
    expect(body).toMatch(/^é+\n\n\(truncated: GitHub does not allow longer text\)$/);
  });

  test('get one reaction as acknowledgment, however often they are read', async () => {
    const comment = server.comment(REPO, pr.pr_number, 'dev', '/drift rescan');

    await app.react(pr, String(comment.id));
    await app.react(pr, String(comment.id));

    expect(comment.reactions).toEqual([{ content: 'eyes', login: 'drift-plan[bot]' }]);
  });
});

describe('the check', () => {
  const checks = () => server.state.repos.get(REPO)!.checks.filter((check) => check.head_sha === head_sha);

  test('of the App is one check run that goes from in progress to its conclusion', async () => {
    const { id } = await app.setCheck(pr, null, update({ conclusion: null, url: null }));
    expect(checks()).toMatchObject([{ name: 'drift/plan', status: 'in_progress', conclusion: null }]);

    expect(await app.setCheck(pr, id, update({ conclusion: 'failure' }))).toEqual({ id });

    const details_url = 'https://dpa.example/jobs/1';
    expect(checks()).toMatchObject([{ status: 'completed', conclusion: 'failure', details_url, history: [{}, {}] }]);
  });

  test('whose creation was not confirmed is reused and not created twice', async () => {
    server.fail({ method: 'POST', path: /check-runs$/, how: 'drop-after' });
    await expect(app.setCheck(pr, null, update())).rejects.toMatchObject({ error_class: 'unavailable' });

    await app.setCheck(pr, null, update({ title: 'Again' }));

    expect(checks()).toMatchObject([{ output: { title: 'Again' }, history: [{}, {}] }]);
  });

  test('is truncated if GitHub would reject it', async () => {
    await app.setCheck(pr, null, update({ summary: '漢'.repeat(40_000), text: 'x'.repeat(100_000) }));

    const { output } = checks()[0]!;
    for (const text of [output.summary!, output.text!]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_000);
      expect(text.endsWith('(truncated: GitHub does not allow longer text)')).toBe(true);
    }
  });

  test.each([
    [null, 'pending', 'Low risk'],
    ['success', 'success', 'Low risk'],
    ['failure', 'failure', 'Low risk'],
    ['neutral', 'success', 'neutral: Low risk'],
  ] as const)('of a token is a commit status: %s becomes %s', async (conclusion, state, description) => {
    await user.setCheck(pr, null, update({ conclusion }));

    const [status] = server.state.repos.get(REPO)!.statuses.filter(({ sha }) => sha === head_sha);
    expect(status).toMatchObject({
      state,
      description,
      context: 'drift/plan',
      target_url: 'https://dpa.example/jobs/1',
    });
  });

  test('of a token has at most 140 characters', async () => {
    await user.setCheck(pr, null, update({ title: '漢'.repeat(200), url: null }));

    const status = server.state.repos.get(REPO)!.statuses.at(-1);
    expect(status).toMatchObject({ description: `${'漢'.repeat(139)}…`, target_url: null });
  });
});

describe('people', () => {
  test('an approval is valid until its author reviews again or it is dismissed', async () => {
    const approved = () => app.isApproved(pr);
    expect(await approved()).toBe(false);
    server.approve(REPO, pr.pr_number, 'ann');
    server.review(REPO, pr.pr_number, 'ann', 'COMMENTED');
    expect(await approved()).toBe(true);
    server.review(REPO, pr.pr_number, 'ann', 'CHANGES_REQUESTED');
    expect(await approved()).toBe(false);
    server.approve(REPO, pr.pr_number, 'bob').state = 'DISMISSED';
    expect(await approved()).toBe(false);
    server.state.accounts.set('robot[bot]', { id: 99, login: 'robot[bot]', type: 'Bot' });
    server.approve(REPO, pr.pr_number, 'robot[bot]');
    expect(await approved()).toBe(false);
  });

  test.each([
    ['admin', 'write'],
    ['maintain', 'write'],
    ['write', 'write'],
    ['triage', 'read'],
    ['read', 'read'],
    [null, 'none'],
  ] as const)('the role %s is a permission to %s', async (role, permission) => {
    server.setPermission(REPO, 'kim', role);

    expect(await app.readPermission(REPO, 'kim')).toBe(permission);
  });

  test('a user that GitHub does not know has no permission', async () => {
    expect(await app.readPermission(REPO, 'nobody-at-all')).toBe('none');
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CheckUpdate } from '../../../../server/adapters/scm/types.ts';
import { catchPlatformError, collected, getHeadSha, type Setup, setUp } from './setup.ts';

const ZIP = Buffer.from('PK\u0003\u0004 an archive');

function buildUpdate(head_sha: string, more: Partial<CheckUpdate> = {}): CheckUpdate {
  return { head_sha, conclusion: null, title: 'Waiting', summary: '', text: '', url: null, ...more };
}

describe('a merge request', () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp();
  });
  afterAll(async () => setup.server.close());

  test('is found by its head, with the current target branch', async () => {
    const { server, project, platform, pr, merge_request } = setup;
    const base_sha = server.commit(project, { branch: 'main' }).sha;

    expect(await platform.findPullRequest(pr.repo, getHeadSha(setup))).toEqual({
      ...pr,
      url: `${server.url}/group/sub/infra/-/merge_requests/${merge_request.iid}`,
      state: 'open',
      head_sha: getHeadSha(setup),
      branch: 'feature',
      base_sha,
      is_fork: false,
    });
  });

  test('is not found by a former head or an unknown commit, or after it is merged', async () => {
    const { server, project, platform, dev } = setup;
    const merge_request = server.openMergeRequest(project, { author: dev, branch: 'later' });
    const old = merge_request.versions.at(-1)?.head_sha ?? '';
    const head = server.push(merge_request);

    expect(await platform.findPullRequest(project.path, old)).toBeNull();
    expect(await platform.findPullRequest(project.path, 'f'.repeat(40))).toBeNull();
    merge_request.state = 'merged';
    expect(await platform.findPullRequest(project.path, head)).toBeNull();
    expect(await platform.getPullRequest({ repo: project.path, pr_number: merge_request.iid })).toMatchObject({
      state: 'merged',
    });
  });

  test('is found by its temporary merge commit while its head is the same', async () => {
    const { server, project, platform, dev } = setup;
    const merge_request = server.openMergeRequest(project, { author: dev, branch: 'merged-results' });
    const head_sha = merge_request.versions.at(-1)?.head_sha;
    const sha = server.mergeResult(merge_request);
    expect(await platform.findPullRequest(project.path, sha)).toBeNull();

    const ref = `refs/merge-requests/${merge_request.iid}/merge`;
    server.runPipeline(project, { sha, ref, user: dev, merge_request, jobs: [{ name: 'plan', archive: ZIP }] });
    expect(await platform.findPullRequest(project.path, sha)).toMatchObject({ pr_number: merge_request.iid, head_sha });
    expect(await platform.listRuns(project.path, head_sha ?? '')).toMatchObject([{ head_sha }]);

    server.push(merge_request);
    expect(await platform.findPullRequest(project.path, sha)).toBeNull();
  });

  test('from a fork is marked as a fork', async () => {
    const { server, project, platform, dev } = setup;
    const fork = server.addProject('someone/infra', { visibility: 'public' });
    const merge_request = server.openMergeRequest(project, { author: dev, fork, branch: 'theirs' });

    const found = await platform.findPullRequest(project.path, merge_request.versions.at(-1)?.head_sha ?? '');
    expect(found).toMatchObject({ is_fork: true, repo: project.path, branch: 'theirs' });
  });

  test('of our own is found by its head even if a fork proposes the same commit', async () => {
    const { server, project, platform, dev } = setup;
    const ours = server.openMergeRequest(project, { author: dev, branch: 'ours' });
    const fork = server.addProject('someone/copy', { visibility: 'public' });
    const theirs = server.openMergeRequest(project, { author: dev, fork, branch: 'theirs' });
    theirs.versions = ours.versions;

    const found = await platform.findPullRequest(project.path, ours.versions.at(-1)?.head_sha ?? '');
    expect(found).toMatchObject({ pr_number: ours.iid, is_fork: false });
  });

  test('is approved only by another person than us and its author, for the current commit', async () => {
    const { server, project, platform, dev, bot } = setup;
    const merge_request = server.openMergeRequest(project, { author: dev, branch: 'to-approve' });
    const isApproved = async () => platform.isApproved({ repo: project.path, pr_number: merge_request.iid });
    const reviewer = server.addUser('reviewer');

    expect(await isApproved()).toBe(false);
    server.approve(merge_request, bot);
    server.approve(merge_request, dev);
    server.approve(merge_request, server.addUser('project_5_bot_0a1b2c'));
    server.approve(merge_request, server.addUser('renamed', { is_bot: true }));
    expect(await isApproved()).toBe(false);
    server.approve(merge_request, reviewer);
    expect(await isApproved()).toBe(true);
    // A later push; GitLab may keep earlier approvals.
    server.push(merge_request);
    Object.assign(merge_request.versions.at(-1) ?? {}, { created_at: new Date(Date.now() + 1_000).toISOString() });
    expect(await isApproved()).toBe(false);
  });

  test('can be written by developers, and read by other members', async () => {
    const { server, project, platform } = setup;
    const levels = [5, 10, 20, 30, 50].map((level) => [server.addUser(`Level-${level}`), level] as const);
    for (const [{ id }, level] of levels) project.members.set(id, level);
    server.addUser('outsider');

    const asked = ['level-5', 'level-10', 'level-20', 'level-30', 'LEVEL-50', 'outsider', 'nobody'];
    const permissions = await Promise.all(asked.map((login) => platform.readPermission(project.path, login)));
    expect(permissions).toEqual(['none', 'read', 'read', 'write', 'write', 'none', 'none']);
  });
});

describe('pipelines', () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp();
  });
  afterAll(async () => setup.server.close());

  test('that have ended are runs, newest first, and a retried job increases the run number', async () => {
    const { server, project, platform, dev } = setup;
    const sha = getHeadSha(setup);
    const run = (more: object) => server.runPipeline(project, { sha, ref: 'feature', user: dev, ...more });
    const job = { name: 'plan', archive: ZIP };
    const [first, second, child] = [
      run({ jobs: [job] }),
      run({ jobs: [job] }),
      run({ jobs: [job], source: 'parent_pipeline' }),
    ];
    run({ jobs: [job], status: 'running' });
    run({ jobs: [] });

    const ids = async () => (await platform.listRuns(project.path, sha)).map(({ id }) => Number(id));
    expect(await ids()).toEqual([child.id, second.id, first.id]);
    const before = (await platform.listRuns(project.path, sha)).at(-1);
    server.retryJob(first, job);
    const after = (await platform.listRuns(project.path, sha))[0];
    expect(after).toEqual({ ...before, number: expect.any(Number) });
    expect(after?.number).toBeGreaterThan(before?.number ?? 0);
  });

  test('list the archive of each job once, for more than a hundred jobs', async () => {
    const { server, project, platform, dev } = setup;
    const jobs = Array.from({ length: 230 }, (_, i) => ({ name: `plan ${i}`, ...(i % 2 === 0 && { archive: ZIP }) }));
    const pipeline = server.runPipeline(project, { sha: getHeadSha(setup), ref: 'feature', user: dev, jobs });
    const retried = server.retryJob(pipeline, { name: 'plan 0', archive: ZIP });

    const run = { id: String(pipeline.id), number: 1, head_sha: '', url: '' };
    const artifacts = await platform.listArtifacts(project.path, run);
    expect(artifacts).toHaveLength(115);
    expect(artifacts.filter(({ name }) => name === 'plan 0')).toEqual([
      { id: String(retried.id), name: 'plan 0', size: ZIP.length },
    ]);
  });

  test('provide their archives, also from an object storage that does not get the token', async () => {
    const { server, project, platform, dev, token } = setup;
    const { jobs } = server.runPipeline(project, {
      sha: getHeadSha(setup),
      ref: 'feature',
      user: dev,
      jobs: [{ name: 'plan', archive: ZIP }],
    });
    const artifact = { id: String(jobs[0]?.id), name: 'plan', size: ZIP.length };

    expect(Buffer.from(await platform.downloadArtifact(project.path, artifact, 1_000))).toEqual(ZIP);
    server.state.artifacts = 'redirected';
    expect(Buffer.from(await platform.downloadArtifact(project.path, artifact, 1_000))).toEqual(ZIP);
    expect(server.storage_requests).toHaveLength(1);
    expect(JSON.stringify(server.storage_requests)).not.toContain(token.value);
    expect(await catchPlatformError(platform.downloadArtifact(project.path, artifact, ZIP.length - 1))).toMatchObject({
      error_class: 'too_large',
    });
    server.state.artifacts = 'proxied';
    Object.assign(jobs[0] ?? {}, { expired: true });
    expect(await catchPlatformError(platform.downloadArtifact(project.path, artifact, 1_000))).toMatchObject({
      error_class: 'gone',
    });
  });

  test('provide files of their commit, unless they are large or missing', async () => {
    const { server, project, platform } = setup;
    const files = { '.drift.yml': 'artifacts: [größer]\n', 'a/large file.txt': 'x'.repeat(65_537) };
    const { sha } = server.commit(project, { branch: 'main', files });

    expect(await platform.readFile(project.path, '.drift.yml', sha)).toBe('artifacts: [größer]\n');
    expect(await platform.readFile(project.path, 'a/large file.txt', sha)).toBeNull();
    expect(await platform.readFile(project.path, 'none.yml', sha)).toBeNull();
  });
});

describe('comments', () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp();
  });
  afterAll(async () => setup.server.close());

  test('of our own are found among hundreds of others, oldest first', async () => {
    const { server, platform, merge_request, pr, bot, dev } = setup;
    server.comment(merge_request, bot, 'ours 1');
    for (let i = 0; i < 240; i += 1) server.comment(merge_request, dev, 'theirs');
    server.comment(merge_request, bot, 'changed the title', { system: true });
    server.comment(merge_request, bot, 'ours 2');

    const found = await collected(platform.listOwnComments(pr));
    expect(found.map(({ body }) => body)).toEqual(['ours 1', 'ours 2']);
  });

  test('are created and updated, and a deleted one is detected', async () => {
    const { platform, merge_request, pr } = setup;
    const { id } = await platform.createComment(pr, 'first');

    expect(await platform.updateComment(pr, id, 'second & größer')).toBe(true);
    expect(merge_request.notes.find((note) => String(note.id) === id)?.history).toEqual(['first', 'second & größer']);
    merge_request.notes.pop();
    expect(await platform.updateComment(pr, id, 'third')).toBe(false);
  });

  test('are acknowledged once, however often that is requested', async () => {
    const { server, platform, merge_request, pr, dev } = setup;
    const note = server.comment(merge_request, dev, '/drift help');

    await platform.react(pr, String(note.id));
    await platform.react(pr, String(note.id));
    expect(note.awards.map(({ name }) => name)).toEqual(['eyes']);
  });

  test('that GitLab rejects as spam cause an error without its text', async () => {
    const { server, platform, pr } = setup;
    server.state.spam = /buy now/;

    const failure = await catchPlatformError(platform.createComment(pr, 'buy now'));
    expect(failure).toMatchObject({ error_class: 'rejected', message: expect.not.stringContaining('spam') });
  });
});

describe('the check', () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp();
  });
  afterAll(async () => setup.server.close());

  test('runs, ends, and runs again on the pipeline of the merge request; setting it twice is no error', async () => {
    const { server, project, platform, dev, pr, merge_request } = setup;
    const head_sha = getHeadSha(setup);
    const pipeline = server.runPipeline(project, {
      sha: head_sha,
      ref: 'refs/merge-requests/1/head',
      user: dev,
      merge_request,
      jobs: [{ name: 'plan' }],
    });
    server.runPipeline(project, { sha: head_sha, ref: 'feature', user: dev, jobs: [{ name: 'lint' }] });

    const { id } = await platform.setCheck(pr, null, buildUpdate(head_sha));
    expect(await platform.setCheck(pr, id, buildUpdate(head_sha, { title: 'Still waiting' }))).toEqual({ id });
    expect(pipeline.status).toBe('running');
    await platform.setCheck(
      pr,
      id,
      buildUpdate(head_sha, { conclusion: 'failure', title: 'x'.repeat(300), url: 'https://dpa.example.com/1' }),
    );
    await platform.setCheck(pr, id, buildUpdate(head_sha, { conclusion: 'neutral', title: 'High risk' }));
    expect(project.statuses).toMatchObject([
      {
        name: 'drift/plan',
        status: 'failed',
        description: `${'x'.repeat(254)}…`,
        target_url: 'https://dpa.example.com/1',
        pipeline,
      },
      { status: 'success', description: 'Neutral: High risk', target_url: null, pipeline },
    ]);
  });

  test('moves to a later pipeline, and does not stay running on the former one', async () => {
    const { server, project, platform, dev } = setup;
    const merge_request = server.openMergeRequest(project, { author: dev, branch: 'moves' });
    const [pr, sha] = [{ repo: project.path, pr_number: merge_request.iid }, merge_request.versions[0]?.head_sha ?? ''];
    const run = () =>
      server.runPipeline(project, { sha, ref: 'moves', user: dev, merge_request, jobs: [{ name: 'plan' }] });

    const former = run();
    const { id } = await platform.setCheck(pr, null, buildUpdate(sha));
    const later = run();
    const moved = await platform.setCheck(pr, id, buildUpdate(sha, { conclusion: 'success', title: 'No risk' }));
    expect([former.status, later.status]).toEqual(['success', 'success']);
    expect(moved.id).not.toBe(id);
    expect(project.statuses.filter((one) => one.sha === sha).map(({ pipeline }) => pipeline)).toEqual([former, later]);
  });

  test('changes its text while it runs, if GitLab supports that', async () => {
    const { server, project, platform, dev } = setup;
    const merge_request = server.openMergeRequest(project, { author: dev, branch: 'patient' });
    const [pr, sha] = [{ repo: project.path, pr_number: merge_request.iid }, merge_request.versions[0]?.head_sha ?? ''];
    server.state.refuses_same_status = false;

    const { id } = await platform.setCheck(pr, null, buildUpdate(sha));
    await platform.setCheck(pr, id, buildUpdate(sha, { title: 'Still waiting' }));
    expect(project.statuses.filter((one) => one.sha === sha)).toMatchObject([{ description: 'Still waiting' }]);
    server.state.refuses_same_status = true;
  });

  test('is set on the merged results pipeline, and for a fork on the ref of its merge request', async () => {
    const { server, project, platform, dev } = setup;
    const merge_request = server.openMergeRequest(project, { author: dev, branch: 'result' });
    const sha = server.mergeResult(merge_request);
    const ref = `refs/merge-requests/${merge_request.iid}/merge`;
    server.runPipeline(project, { sha, ref, user: dev, merge_request, jobs: [{ name: 'plan' }] });
    const head_sha = merge_request.versions[0]?.head_sha ?? '';
    await platform.setCheck(
      { repo: project.path, pr_number: merge_request.iid },
      null,
      buildUpdate(head_sha, { conclusion: 'success' }),
    );
    expect(project.statuses.at(-1)).toMatchObject({ sha, ref });

    const fork = server.addProject('someone/else', { visibility: 'public' });
    const theirs = server.openMergeRequest(project, { author: dev, fork, branch: 'fork' });
    const pr = { repo: project.path, pr_number: theirs.iid };
    await platform.setCheck(pr, null, buildUpdate(theirs.versions[0]?.head_sha ?? ''));
    expect(project.statuses.at(-1)).toMatchObject({ ref: `refs/merge-requests/${theirs.iid}/head`, status: 'running' });
    expect(await catchPlatformError(platform.setCheck(pr, null, buildUpdate('e'.repeat(40))))).toMatchObject({
      error_class: 'gone',
    });
  });
});

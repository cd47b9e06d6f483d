import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readMark } from '../../../engine/index.ts';
import { buildPlan, type Entry, GRAVE } from '../../engine/explain/plans.ts';
import type { Comment, Status } from '../../fakes/github-server/state.ts';
import { useUpAnalyses } from '../../helpers/analyses.ts';
import { type GithubHarness, getHeadSha, startGithubHarness, type Wired } from './harness.ts';

const TUNED: Entry = { address: 'aws_sqs_queue.jobs', before: { delay_seconds: 5 }, after: { delay_seconds: 30 } };
const CALM = buildPlan([TUNED]);
const DANGER = buildPlan(GRAVE);
const NOTHING = buildPlan([{ address: 'aws_sqs_queue.jobs', actions: ['no-op'], before: {}, after: {} }]);
/** Different for each module. */
const buildModulePlan = (n: number) => buildPlan([{ ...TUNED, address: `aws_sqs_queue.jobs_${n}` }]);

let harness: GithubHarness;
beforeAll(async () => {
  harness = await startGithubHarness();
});
afterAll(() => harness.close());

interface Scene extends Wired {
  pr_number: number;
  plan(plans: Record<string, string>): Promise<{ run_id: number }>;
  push(): Promise<string>;
  say(login: string, body: string): Promise<Comment>;
  comments(): Comment[];
  /** The current body of a comment. */
  body(): string;
  status(): Status | undefined;
}

let count = 0;
async function scene({ fork }: { fork?: string } = {}): Promise<Scene> {
  count += 1;
  const { github } = harness;
  const wired = await harness.wire(`team-${count}`);
  const { repo } = wired;
  const { number: pr_number } = github.openPullRequest(repo, fork === undefined ? {} : { fork });
  const comments = () => github.comments(repo, pr_number);
  return {
    ...wired,
    pr_number,
    comments,
    async plan(plans) {
      const run = await harness.plan(wired, pr_number, plans);
      await harness.waitUntilSettled();
      return run;
    },
    async push() {
      const sha = github.push(repo, pr_number);
      await harness.deliverActivity(wired, { event: 'pull_request', repo, pr_number, action: 'synchronize' });
      await harness.waitUntilSettled();
      return sha;
    },
    async say(login, body) {
      const comment = github.comment(repo, pr_number, login, body);
      await harness.deliverActivity(wired, { event: 'issue_comment', repo, comment_id: comment.id });
      await harness.waitUntilSettled();
      return comment;
    },
    body: () => comments().find(({ body }) => readMark(body) !== null)?.body ?? '',
    status() {
      const all = github.state.repos.get(repo)?.statuses ?? [];
      return all.findLast(({ sha }) => sha === getHeadSha(github, repo, pr_number));
    },
  };
}

describe('a plan among the artifacts of a run', () => {
  test('creates one comment with the verdict, and a status of its commit', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: DANGER });

    expect(pr.comments()).toHaveLength(1);
    expect(pr.body()).toContain('**critical risk**');
    expect(pr.body()).toContain('`aws_db_instance.main`');
    expect(pr.body()).toMatch(/\[CI run\]\(http\S+\/actions\/runs\/\d+\)/);
    expect(readMark(pr.body())?.head_sha).toBe(getHeadSha(harness.github, pr.repo, pr.pr_number));
    expect(pr.status()).toMatchObject({ state: 'success', description: expect.stringContaining('Critical risk') });
  });

  test('fails the status from the level that the organization has set', async () => {
    const pr = await scene();
    await pr.owner.send('PATCH', `/api/v2/orgs/${pr.org_id}/settings`, { pr_fail_on: 'high' });
    await pr.plan({ tfplan: DANGER });
    expect(pr.status()).toMatchObject({ state: 'failure' });
  });

  test('that changes nothing gets a status and no comment', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: NOTHING });
    expect(pr.comments()).toEqual([]);
    expect(pr.status()).toMatchObject({ state: 'success' });
  });

  test('that cannot be read is reported with advice, and the status is not a success', async () => {
    const pr = await scene();
    await pr.plan({ 'plan-a': CALM, 'plan-b': DANGER.slice(0, 300) });
    expect(pr.comments()).toHaveLength(1);
    expect(pr.body()).toContain('plan-b');
    expect(pr.status()).toMatchObject({ state: 'error', description: expect.stringMatching(/1 plan not analyzed/) });
  });

  test('is analyzed once, however often it is delivered', async () => {
    const pr = await scene();
    const { run_id } = await pr.plan({ tfplan: CALM });
    const delivery = harness.github.deliver(
      { event: 'workflow_run', repo: pr.repo, run_id },
      { secret: pr.secret, hook: 'repository' },
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => harness.send(pr, delivery)));
    await harness.waitUntilSettled();
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(pr.comments().map(({ history }) => history.length)).toEqual([1]);
    expect(await harness.service.admin_db('llm_jobs').where({ org_id: pr.org_id })).toHaveLength(1);
  });

  test('twelve modules get one comment, written once', async () => {
    const pr = await scene();
    await pr.plan(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`plan-${n}`, buildModulePlan(n)])));
    expect(pr.comments()).toHaveLength(1);
    expect(pr.comments()[0]?.history).toHaveLength(1);
    expect(pr.body()).toContain('12 modules');
  });
});

describe('the next push', () => {
  test('with the same plan edits nothing and costs no analysis', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: DANGER });
    await pr.push();
    await pr.plan({ tfplan: DANGER });

    expect(pr.comments().map(({ history }) => history.length)).toEqual([1]);
    expect(await harness.service.admin_db('llm_jobs').where({ org_id: pr.org_id })).toHaveLength(1);
    expect(pr.status()).toMatchObject({ state: 'success' });
  });

  test('with another plan edits the one comment and says what has changed', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: CALM });
    const head = await pr.push();
    await pr.plan({ tfplan: DANGER });

    expect(pr.comments().map(({ history }) => history.length)).toEqual([2]);
    expect(pr.body()).toContain('**Since the previous push:** low → critical');
    expect(readMark(pr.body())?.head_sha).toBe(head);
  });

  test('makes runs of the previous commit irrelevant', async () => {
    const pr = await scene();
    const before = getHeadSha(harness.github, pr.repo, pr.pr_number);
    const { id: run_id } = harness.github.addRun(pr.repo, { head_sha: before });
    await pr.push();
    await pr.plan({ tfplan: CALM });
    const body_before = pr.body();
    await harness.deliverActivity(pr, { event: 'workflow_run', repo: pr.repo, run_id });
    await harness.waitUntilSettled();
    expect(pr.body()).toBe(body_before);
  });

  test('that makes an approved plan dangerous adds one new comment', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: CALM });
    harness.github.approve(pr.repo, pr.pr_number, 'reviewer');
    await pr.push();
    await pr.plan({ tfplan: DANGER });
    await pr.push();
    await pr.plan({ tfplan: buildPlan([...GRAVE, TUNED]) });

    const [, warning, ...others] = pr.comments();
    expect(others).toEqual([]);
    expect(warning?.body).toContain('risen to critical since it was approved');
  });
});

test('a critical plan that is approved or merged anyway is announced once', async () => {
  const pr = await scene();
  const { github, service } = harness;
  const announced = () =>
    service.admin_db('notification_events').where({ org_id: pr.org_id, type: 'analysis.approved' }).pluck('data');
  const approve = async () => {
    const { id: review_id } = github.approve(pr.repo, pr.pr_number, 'reviewer');
    const { repo, pr_number } = pr;
    await harness.deliverActivity(pr, { event: 'pull_request_review', repo, pr_number, review_id });
    await harness.waitUntilSettled();
  };
  await pr.plan({ tfplan: CALM });
  await approve();
  expect(await announced()).toEqual([]);

  await pr.push();
  await pr.plan({ tfplan: DANGER });
  await approve();
  github.setPullRequest(pr.repo, pr.pr_number, { state: 'closed', merged: true });
  await harness.deliverActivity(pr, {
    ...{ event: 'pull_request', repo: pr.repo, pr_number: pr.pr_number, action: 'closed' },
  });
  await harness.waitUntilSettled();

  expect(await announced()).toEqual([
    expect.objectContaining({ action: 'approved', risk_level: 'critical', repo: pr.repo, pr_number: pr.pr_number }),
  ]);
  expect((await announced())[0].scan_run_id).toEqual(expect.any(String));
});

describe('a plan that the service rejects for now', () => {
  const FROZEN = { id: 'frozen', name: 'Frozen', enabled: true, match: { resource_types: ['aws_sqs_queue'] } };
  const BLOCKS = { rules: [{ ...FROZEN, effect: 'block', reason: 'The queues are frozen.' }] };

  test('is analyzed immediately with the rules of the organization, and the comment says what is missing until when', async () => {
    const pr = await scene();
    await useUpAnalyses(harness.service.admin_db, pr.org_id);
    await pr.owner.send('PUT', `/api/v2/orgs/${pr.org_id}/risk-policy`, BLOCKS);
    await pr.plan({ tfplan: CALM });
    expect(pr.comments()).toHaveLength(1);
    expect(pr.body()).toContain('Only the language model’s explanation is missing');
    expect(pr.body()).toContain('The queues are frozen.');
    expect(pr.status()).toMatchObject({ state: 'failure', description: expect.stringContaining('blocked by a rule') });
  });

  test('because of its size is still blocked', async () => {
    const pr = await scene();
    await pr.owner.send('PUT', `/api/v2/orgs/${pr.org_id}/risk-policy`, BLOCKS);
    const filler = 'x'.repeat(6_000_000);
    await pr.plan({
      tfplan: buildPlan([{ address: 'aws_sqs_queue.jobs', before: { policy: 'a' }, after: { policy: filler } }]),
    });
    expect(pr.status()).toMatchObject({ state: 'failure', description: expect.stringContaining('blocked by a rule') });
  });
});

describe('a comment that is a command', () => {
  test('of a user with write access is acknowledged, and answered in a comment that mentions them', async () => {
    const pr = await scene();
    harness.github.setPermission(pr.repo, 'maintainer', 'write');
    await pr.plan({ tfplan: DANGER });
    const body_before = pr.body();
    const command_comment = await pr.say('maintainer', '/drift explain aws_db_instance.main\nplease');
    expect(command_comment.reactions).toHaveLength(1);
    expect(pr.body()).toBe(body_before);
    const [, , answer, ...others] = pr.comments();
    expect(answer?.body).toMatch(/^<!-- dpa:answer .*\n@maintainer, `\/drift explain aws_db_instance.main`:/);
    expect(answer?.body).toContain('by `R-ACT-DELETE-STATEFUL`');
    expect(others).toEqual([]);
  });

  test('is answered once, however many deliveries report it', async () => {
    const pr = await scene();
    harness.github.setPermission(pr.repo, 'maintainer', 'write');
    const command_comment = await pr.say('maintainer', '/drift help');
    const deliver = () =>
      harness.github.deliver(
        { event: 'issue_comment', repo: pr.repo, comment_id: command_comment.id },
        { secret: pr.secret, hook: 'repository' },
      );
    const first = deliver();
    await Promise.all([first, first, deliver(), deliver()].map((delivery) => harness.send(pr, delivery)));
    await harness.waitUntilSettled();
    expect(pr.comments().filter(({ body }) => body.includes('dpa:answer'))).toHaveLength(1);
  });

  test('of another user is not answered', async () => {
    const pr = await scene();
    harness.github.setPermission(pr.repo, 'guest', 'read');
    await pr.plan({ tfplan: CALM });
    const body_before = pr.body();
    const command_comment = await pr.say('guest', '/drift help');
    expect([command_comment.reactions, pr.body()]).toEqual([[], body_before]);
  });

  test('quiet stops updates of the comment, while the status is still updated', async () => {
    const pr = await scene();
    harness.github.setPermission(pr.repo, 'maintainer', 'admin');
    await pr.plan({ tfplan: CALM });
    await pr.say('maintainer', '/drift quiet');
    const body_before = pr.body();
    await pr.push();
    await pr.plan({ tfplan: DANGER });
    expect(pr.body()).toBe(body_before);
    expect(pr.status()?.description).toContain('Critical risk');
  });

  test('rescan analyzes the plans of the newest runs again', async () => {
    const pr = await scene();
    harness.github.setPermission(pr.repo, 'maintainer', 'write');
    await pr.plan({ tfplan: CALM });
    await pr.say('maintainer', '/drift rescan');
    expect(await harness.service.admin_db('llm_jobs').where({ org_id: pr.org_id })).toHaveLength(2);
  });
});

describe('a pull request from a fork', () => {
  test.each([
    ['comment', 1, 1],
    ['analyze_only', 0, 1],
    ['ignore', 0, 0],
  ])('under the policy %s gets %d comments and %d analyses', async (fork_pr_policy, comments, analyses) => {
    const pr = await scene({ fork: 'stranger/infra' });
    await pr.owner.send('PATCH', `/api/v2/orgs/${pr.org_id}/settings`, { fork_pr_policy });
    await pr.plan({ tfplan: CALM });
    expect(pr.comments()).toHaveLength(comments);
    expect(await harness.service.admin_db('llm_jobs').where({ org_id: pr.org_id })).toHaveLength(analyses);
  });
});

describe('the comment of a pull request', () => {
  test('is created again with the next result after it was deleted', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: CALM });
    harness.github.deleteComment(pr.repo, pr.comments()[0]!.id);
    await pr.push();
    await pr.plan({ tfplan: DANGER });
    expect(pr.comments()).toHaveLength(1);
    expect(pr.body()).toContain('**critical risk**');
  });

  test('is not confused with a comment of another user that copies our marker', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: CALM });
    const mark = pr.body().split('\n')[0]!;
    harness.github.deleteComment(pr.repo, pr.comments()[0]!.id);
    harness.github.comment(pr.repo, pr.pr_number, 'impostor', `${mark}\nall is well`);
    await harness.service.admin_db('pull_requests').where({ org_id: pr.org_id }).update({ comment_id: null });
    await pr.push();
    await pr.plan({ tfplan: DANGER });
    const bodies = pr.comments().map(({ body }) => body);
    expect(bodies[0]).toBe(`${mark}\nall is well`);
    expect(bodies[1]).toContain('**critical risk**');
  });

  test('says that the pull request was closed', async () => {
    const pr = await scene();
    await pr.plan({ tfplan: CALM });
    harness.github.setPullRequest(pr.repo, pr.pr_number, { state: 'closed', merged: true });
    await harness.deliverActivity(pr, {
      event: 'pull_request',
      repo: pr.repo,
      pr_number: pr.pr_number,
      action: 'closed',
    });
    await harness.waitUntilSettled();
    expect(pr.body()).toContain('merged');
  });
});

describe('a token without permission', () => {
  test('settles the delivery as failed, with the reason', async () => {
    const pr = await scene();
    harness.github.fail({
      method: 'GET',
      path: /\/pulls/,
      how: { status: 403, body: { message: 'Resource not accessible' } },
    });
    await pr.plan({ tfplan: CALM });
    const { body } = await pr.owner.get(`/api/v2/orgs/${pr.org_id}/webhook-configs/${pr.config_id}/deliveries`);
    expect(body.deliveries[0]).toMatchObject({ direction: 'in', status: 'failed', error: expect.any(String) });
  });
});

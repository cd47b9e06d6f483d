import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { buildPlan, type Entry, GRAVE } from '../../engine/explain/plans.ts';
import type { CheckRun, Comment } from '../../fakes/github-server/state.ts';
import { type AppHarness, type Linked, startAppHarness, until } from './app-harness.ts';
import { getHeadSha } from './harness.ts';

const TUNED: Entry = { address: 'aws_sqs_queue.jobs', before: { delay_seconds: 5 }, after: { delay_seconds: 30 } };
const CALM = buildPlan([TUNED]);
const DANGER = buildPlan(GRAVE);
const TAKEN = { accepted: true, delivery_id: expect.any(String) };
const IGNORED = { accepted: false, reason: 'ignored' };

const schema = JSON.parse(readFileSync(join(packageRoot(), 'docs/check-result.schema.json'), 'utf8'));
const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);

let harness: AppHarness;
beforeAll(async () => {
  harness = await startAppHarness();
});
afterAll(() => harness.close());

interface Scene extends Linked {
  pr_number: number;
  /** Runs a plan, and waits until it is published. @returns the response of the receiver */
  plan(text: string): Promise<unknown>;
  comments(): Comment[];
  /** The checks of every commit, oldest first. */
  checks(): CheckRun[];
  check(): CheckRun;
  analyses(): Promise<number>;
  deliveries(): Promise<{ status: string; error: string | null }[]>;
  status(): Promise<string>;
}

let count = 0;
async function scene(): Promise<Scene> {
  count += 1;
  const { github, service } = harness;
  const linked = await harness.link(`team-${count}`);
  const { org_id, owner, repo, row_id } = linked;
  const { number: pr_number } = github.openPullRequest(repo);
  const checks = () => github.state.repos.get(repo)?.checks ?? [];
  return {
    ...linked,
    pr_number,
    checks,
    async plan(text) {
      const { body } = await harness.send(await harness.plan(linked, pr_number, text));
      await harness.waitUntilSettled();
      return body;
    },
    comments: () => github.comments(repo, pr_number),
    check: () => checks().at(-1)!,
    analyses: async () => (await service.admin_db('llm_jobs').where({ org_id })).length,
    deliveries: () =>
      service.admin_db('webhook_deliveries').where({ org_id, installation_row_id: row_id }).orderBy('created_at'),
    async status() {
      const { body } = await owner.get(`/api/v2/orgs/${org_id}/scm-installations`);
      return body.scm_installations[0].status;
    },
  };
}

/** The machine-readable JSON of a check. */
function readMachineJson({ output: { text } }: CheckRun) {
  return JSON.parse(/```json\n(.*)\n```/s.exec(text ?? '')?.[1] ?? 'null');
}

describe('a plan of a repository with the App', () => {
  test('creates a check run that is in progress during the analysis and then shows the verdict', async () => {
    const pr = await scene();
    await harness.stopWorker();
    const { body } = await harness.send(await harness.plan(pr, pr.pr_number, DANGER));
    await until(() => pr.checks().length > 0, 'a check run');

    expect(body).toEqual(TAKEN);
    expect(pr.check()).toMatchObject({ name: 'drift/plan', status: 'in_progress', conclusion: null });
    expect(pr.comments()).toEqual([]);

    await harness.waitUntilSettled();
    expect(pr.checks()).toHaveLength(1);
    const { head_sha, status, conclusion, output } = pr.check();
    expect([status, conclusion]).toEqual(['completed', 'neutral']);
    expect(head_sha).toBe(getHeadSha(harness.github, pr.repo, pr.pr_number));
    expect(output.title).toMatch(/^Critical risk: 1 to delete/);
    expect(output.summary).toContain('`aws_db_instance.main`');
    expect(readMachineJson(pr.check())).toMatchObject({
      risk_level: 'critical',
      plans: [{ key: 'tfplan/plan.json', sha: head_sha, state: 'analyzed', destroyed: ['aws_db_instance.main'] }],
    });
    expect([validate(readMachineJson(pr.check())), validate.errors]).toEqual([true, null]);
  });

  test('gets one comment, by the user of the App', async () => {
    const pr = await scene();
    await pr.plan(DANGER);
    const { account, app_id } = harness.github.state.app;
    expect(pr.comments()).toMatchObject([{ author: account, app_id, body: expect.stringContaining('critical risk') }]);
  });

  test('fails the check from the level that the organization has set', async () => {
    const pr = await scene();
    await pr.owner.send('PATCH', `/api/v2/orgs/${pr.org_id}/settings`, { pr_fail_on: 'high' });
    await pr.plan(DANGER);
    expect(pr.check()).toMatchObject({ status: 'completed', conclusion: 'failure' });
    expect(readMachineJson(pr.check())).toMatchObject({ risk_level: 'critical', blocked: false });
  });

  test('is analyzed again when its check, or all checks, are rerun', async () => {
    const pr = await scene();
    await pr.plan(CALM);
    const { repo } = pr;
    const { id: check_run_id, head_sha } = pr.check();

    await harness.deliverActivity({ event: 'check_run', repo, check_run_id, action: 'rerequested' });
    await harness.waitUntilSettled();
    expect(await pr.analyses()).toBe(2);
    await harness.deliverActivity({ event: 'check_suite', repo, head_sha, action: 'rerequested' });
    await harness.waitUntilSettled();
    expect(await pr.analyses()).toBe(3);

    expect(pr.checks()).toHaveLength(1);
    expect(pr.check().history.at(-1)).toEqual({ status: 'completed', conclusion: 'success' });
    expect(pr.comments().map(({ history }) => history.length)).toEqual([1]);
  });

  test('is published completely after a secondary rate limit of GitHub', async () => {
    const pr = await scene();
    const refusals = () => harness.github.requests.filter(({ method, status }) => method !== 'GET' && status === 403);
    const before = refusals().length;
    harness.github.limitWrites({ count: 1, window_ms: 900, retry_after: 1 });
    try {
      await pr.plan(DANGER);
    } finally {
      harness.github.limitWrites(null);
    }
    expect(refusals().length).toBeGreaterThan(before);
    expect(pr.check()).toMatchObject({ status: 'completed', conclusion: 'neutral' });
    expect(pr.comments()).toHaveLength(1);
    expect(await pr.deliveries()).toMatchObject([{ status: 'accepted' }]);
  });
});

describe('an installation', () => {
  test('that GitHub has suspended fails its deliveries with a reason, and nothing is written until it is active again', async () => {
    const pr = await scene();
    const { installation_id } = pr;
    harness.github.setInstallation(installation_id, { suspended: true });
    const delivery = await harness.plan(pr, pr.pr_number, DANGER);
    expect((await harness.send(delivery)).body).toEqual(TAKEN);
    await harness.waitUntilSettled();
    expect(await pr.deliveries()).toMatchObject([
      { status: 'failed', error: expect.stringMatching(/GitHub returned status/) },
    ]);
    await harness.deliverActivity({ event: 'installation', installation_id, action: 'suspend' });
    expect(await pr.status()).toBe('suspended');
    expect((await harness.send(delivery)).body).toEqual(IGNORED);
    expect([pr.checks(), pr.comments(), await pr.analyses()]).toEqual([[], [], 0]);

    harness.github.setInstallation(installation_id, { suspended: false });
    await harness.deliverActivity({ event: 'installation', installation_id, action: 'unsuspend' });
    expect((await harness.send(delivery)).body).toEqual(TAKEN);
    await harness.waitUntilSettled();
    expect(pr.comments()).toHaveLength(1);
  });

  test('that is unlinked is ignored, and its key is revoked', async () => {
    const pr = await scene();
    const keys = () => harness.service.admin_db('api_keys').where({ org_id: pr.org_id, kind: 'integration' });
    expect(await keys()).toMatchObject([{ revoked_at: null }]);
    const { status } = await pr.owner.send('DELETE', `/api/v2/orgs/${pr.org_id}/scm-installations/${pr.row_id}`);
    expect(status).toBe(204);

    expect(await pr.plan(DANGER)).toEqual(IGNORED);
    expect(await keys()).toMatchObject([{ revoked_at: expect.any(Date) }]);
    expect([await pr.deliveries(), pr.checks(), pr.comments()]).toEqual([[], [], []]);
  });

  test('that is uninstalled on GitHub stays in the list as removed', async () => {
    const pr = await scene();
    const { installation_id } = pr;
    await harness.deliverActivity({ event: 'installation', installation_id, action: 'deleted' });
    harness.github.uninstall(installation_id);
    expect(await pr.status()).toBe('removed');
    expect(await pr.plan(DANGER)).toEqual(IGNORED);
  });

  test('of one organization is not visible to another', async () => {
    const [ours, theirs] = [await scene(), await scene()];
    const { installation_id } = theirs;
    expect(await harness.returnFromGithub(ours.owner, ours.org_id, { login: 'stranger', installation_id })).toContain(
      'reason=installation_not_yours',
    );
    await ours.plan(CALM);

    expect(await ours.deliveries()).toMatchObject([{ status: 'accepted' }]);
    expect([await theirs.deliveries(), theirs.checks(), theirs.comments(), await theirs.analyses()]).toEqual([
      [],
      [],
      [],
      0,
    ]);
    const path = `/api/v2/orgs/${ours.org_id}/scm-installations`;
    expect((await theirs.owner.get(path)).status).toBe(404);
    expect((await theirs.owner.get(`${path}/${ours.row_id}/repositories`)).status).toBe(404);
  });
});

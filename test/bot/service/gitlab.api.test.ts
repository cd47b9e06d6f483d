import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readMark } from '../../../engine/index.ts';
import { buildPlan, type Entry, GRAVE } from '../../engine/explain/plans.ts';
import { buildMergeRequestHook, buildPipelineHook } from '../../fakes/gitlab-server/hooks.ts';
import type { CommitStatus, MergeRequest, Note } from '../../fakes/gitlab-server/types.ts';
import { useUpAnalyses } from '../../helpers/analyses.ts';
import { type GitlabHarness, listNotesBy, startGitlabHarness, type WiredProject } from './gitlab-harness.ts';

const QUEUE = 'aws_sqs_queue.jobs';
const TUNED: Entry = { address: QUEUE, before: { delay_seconds: 5 }, after: { delay_seconds: 30 } };
const CALM = buildPlan([TUNED]);
const DANGER = buildPlan(GRAVE);
/** Names that try to run quick actions as the bot. */
const KEY = 'a\n/close\n  /assign me\r/merge';
const NAMED = `module.${KEY}.aws_db_instance.main["${KEY}"]`;
const COMMANDING = buildPlan([
  { ...GRAVE[0]!, address: NAMED, index: KEY, name: KEY, module_address: `module.${KEY}` },
]);

let harness: GitlabHarness;
beforeAll(async () => {
  harness = await startGitlabHarness();
});
afterAll(() => harness.close());

interface Scene extends WiredProject {
  merge_request: MergeRequest;
  plan(text: string): Promise<void>;
  push(): void;
  say(author: 'developer' | 'guest', text: string): Promise<Note>;
  /** Notes of the bot. */
  notes(): Note[];
  body(): string;
  status(): CommitStatus | undefined;
  analyses(): Promise<number>;
  /** Newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the shape of the response
  deliveries(): Promise<any[]>;
}

let count = 0;
async function scene(): Promise<Scene> {
  count += 1;
  const { gitlab, service } = harness;
  const wired = await harness.wire(`team-${count}`);
  const { org_id, owner, config_id, project, bot, developer } = wired;
  const merge_request = gitlab.openMergeRequest(project, { author: developer });
  const notes = () => listNotesBy(merge_request, bot);
  return {
    ...wired,
    merge_request,
    async plan(text) {
      await harness.pipeline(wired, merge_request, { plan: text });
      await harness.deliverAllHooks();
    },
    push: () => void gitlab.push(merge_request),
    async say(author, text) {
      const note = gitlab.comment(merge_request, wired[author], text);
      await harness.deliverAllHooks();
      return note;
    },
    notes,
    body: () => notes()[0]?.body ?? '',
    status: () => project.statuses.filter(({ name }) => name === 'drift/plan').at(-1),
    analyses: async () => (await service.admin_db('llm_jobs').where({ org_id })).length,
    async deliveries() {
      const { body } = await owner.get(`/api/v2/orgs/${org_id}/webhook-configs/${config_id}/deliveries`);
      return body.deliveries;
    },
  };
}

describe('a plan among the artifacts of a merge request job', () => {
  test('creates one note with the verdict, and a status of its commit', async () => {
    const mr = await scene();
    await mr.plan(DANGER);

    expect(mr.notes()).toHaveLength(1);
    expect(mr.body()).toContain('**critical risk**');
    expect(mr.body()).toContain('`aws_db_instance.main`');
    expect(mr.body()).toMatch(/\[CI run\]\(http\S+\/-\/pipelines\/\d+\)/);
    const head_sha = mr.merge_request.versions.at(-1)?.head_sha;
    expect(readMark(mr.body())?.head_sha).toBe(head_sha);
    expect(mr.status()).toMatchObject({
      sha: head_sha,
      status: 'success',
      description: expect.stringContaining('Critical risk'),
    });
  });

  test('fails the status from the level that the organization has set', async () => {
    const mr = await scene();
    await mr.owner.send('PATCH', `/api/v2/orgs/${mr.org_id}/settings`, { pr_fail_on: 'high' });
    await mr.plan(DANGER);
    expect(mr.status()).toMatchObject({ status: 'failed' });
  });

  test('fails the status because of the policy of the organization even if the service rejects plans for now', async () => {
    const mr = await scene();
    await useUpAnalyses(harness.service.admin_db, mr.org_id);
    const rule = { id: 'frozen', name: 'Frozen', enabled: true, match: { resource_types: ['aws_sqs_queue'] } };
    const policy = { rules: [{ ...rule, effect: 'block', reason: 'The queues are frozen.' }] };
    await mr.owner.send('PUT', `/api/v2/orgs/${mr.org_id}/risk-policy`, policy);
    await mr.plan(CALM);
    expect(mr.body()).toContain('The queues are frozen.');
    expect(mr.status()).toMatchObject({ status: 'failed', description: expect.stringContaining('blocked by a rule') });
  });

  test('edits the note when the next push changes it, and not before', async () => {
    const mr = await scene();
    await mr.plan(CALM);
    mr.push();
    await mr.plan(CALM);
    expect(mr.notes().map(({ history }) => history.length)).toEqual([1]);
    expect(await mr.analyses()).toBe(1);

    mr.push();
    await mr.plan(DANGER);
    expect(mr.notes().map(({ history }) => history.length)).toEqual([2]);
    expect(mr.body()).toContain('low → critical');
  });

  test('cannot run quick actions as the bot', async () => {
    const mr = await scene();
    await harness.pipeline(mr, mr.merge_request, { plan: COMMANDING, [`plan-${KEY}`]: CALM });
    await mr.say('developer', '/drift explain /close');
    await mr.say('developer', `/drift explain ${QUEUE}`);

    const written = mr.notes().flatMap(({ history }) => history.flatMap((body) => body.split(/[\r\n]/)));
    for (const word of ['close', 'assign me', 'merge', QUEUE]) expect(written.join('\n')).toContain(word);
    expect(written.filter((line) => /^\s*\//.test(line))).toEqual([]);
  });
});

describe('a hook', () => {
  test('is accepted once with the secret or with a signature, and not otherwise', async () => {
    const mr = await scene();
    const pipeline = await harness.pipeline(mr, mr.merge_request, { plan: CALM });
    const hook = { event: 'Pipeline Hook', payload: buildPipelineHook(harness.gitlab.state, pipeline) };
    const statuses = async (options: { signed?: boolean; id: string }, secret = mr.secret) => [
      (await harness.send({ ...mr, secret }, hook, options)).status,
      (await harness.send({ ...mr, secret }, hook, options)).status,
    ];

    expect(await statuses({ id: 'one' })).toEqual([202, 200]);
    expect(await statuses({ id: 'two', signed: true })).toEqual([202, 200]);
    const other = `whsec_${Buffer.alloc(24).toString('base64')}`;
    expect(await statuses({ id: 'three' }, other)).toEqual([401, 401]);
    expect(await statuses({ id: 'four', signed: true }, other)).toEqual([401, 401]);

    await harness.deliverAllHooks();
    expect(mr.notes().map(({ history }) => history.length)).toEqual([1]);
    expect(await mr.analyses()).toBe(1);
  });

  test('about a closed merge request updates the note', async () => {
    const mr = await scene();
    await mr.plan(CALM);
    mr.merge_request.state = 'closed';
    const { state } = harness.gitlab;
    const payload = buildMergeRequestHook(state, mr.merge_request, { action: 'close', user: mr.developer });
    state.hooks.push({ event: 'Merge Request Hook', payload });
    await harness.deliverAllHooks();
    expect(mr.body()).toMatch(/^### \S+ Plan review: .* closed$/m);
  });
});

describe('a note that is a command', () => {
  test('of a developer is acknowledged, and answered in a note that mentions them', async () => {
    const mr = await scene();
    await mr.plan(DANGER);
    const command_note = await mr.say('developer', '/drift explain aws_db_instance.main\nplease');
    expect(command_note.awards).toHaveLength(1);
    const [, answer, ...others] = mr.notes();
    expect(answer?.body).toContain(`@${mr.developer.username}, \`/drift explain aws_db_instance.main\`:`);
    expect(answer?.body).toContain('by `R-ACT-DELETE-STATEFUL`');
    expect(others).toEqual([]);
  });

  test('of a guest is not answered', async () => {
    const mr = await scene();
    await mr.plan(CALM);
    const body_before = mr.body();
    const command_note = await mr.say('guest', '/drift help');
    expect([command_note.awards, mr.body()]).toEqual([[], body_before]);
  });
});

describe('a rule of the organization', () => {
  const NOISE = { version: 1, match: { resource_types: ['aws_sqs_queue'] }, attributes: ['delay_seconds'] };

  test('that recognizes noise is shown in the note, with since when it occurs', async () => {
    const mr = await scene();
    const rule = { rule_type: 'noise', name: 'Tuned', description: 'by load' };
    const config = { ...NOISE, severity: 'harmless' };
    await mr.owner.post(`/api/v2/orgs/${mr.org_id}/custom-rules`, { ...rule, config });
    for (const commit_sha of ['a1', 'a2', 'a3', 'a4']) {
      const ci = {
        repo_owner: mr.project.path.replace(/\/infra$/, ''),
        repo_name: 'infra',
        branch: 'main',
        commit_sha,
      };
      const { headers } = await mr.owner.post(`/api/v2/orgs/${mr.org_id}/analyze`, { plan_json: CALM, ci });
      await harness.service.waitForJob(mr.owner, headers.get('location') ?? '');
    }
    await mr.plan(buildPlan([...GRAVE, TUNED]));

    const today = new Date().toISOString().slice(0, 10);
    expect(mr.body()).toContain('Ignored as noise (1)');
    expect(mr.body()).toMatch(new RegExp(`seen \\d times since ${today}`));
  });

  test('that raises a risk counts in the note', async () => {
    const mr = await scene();
    const rule = { rule_type: 'risk', name: 'Queues', description: 'A queue is money' };
    const config = { version: 1, match: { resource_types: ['aws_sqs_queue'] }, effect: 'raise', level: 'high' };
    const url = `/api/v2/orgs/${mr.org_id}/custom-rules`;
    const { status } = await mr.owner.post(url, { ...rule, config: { ...config, message: 'Ask the queue team.' } });
    expect(status).toBe(201);
    await mr.plan(CALM);
    expect(mr.body()).toContain('**high risk**');
    expect(mr.body()).toContain('Ask the queue team.');
  });
});

describe('a token that was revoked on GitLab', () => {
  test('fails the delivery with a reason, and is shown as invalid in the configuration', async () => {
    const mr = await scene();
    const { config_id, org_id, owner, token } = mr;
    const config = async () => (await owner.get(`/api/v2/orgs/${org_id}/webhook-configs/${config_id}`)).body;
    await harness.service
      .admin_db('webhook_configs')
      .where({ id: config_id })
      .update({ api_token_checked_at: new Date(0) });
    expect(await config()).toMatchObject({ api_token_status: 'active' });

    token.revoked = true;
    await mr.plan(CALM);

    expect(await mr.deliveries()).toMatchObject([{ status: 'failed', error: expect.stringContaining('API token') }]);
    expect(await config()).toMatchObject({ api_token_status: 'invalid' });
  });
});

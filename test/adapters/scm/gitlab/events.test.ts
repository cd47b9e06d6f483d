import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEvents } from '../../../../server/adapters/scm/gitlab/events.ts';
import { getHeadSha, type Setup, setUp } from './setup.ts';

const STORED = join(process.cwd(), '../shared/fixtures/webhooks/gitlab');
const EVENTS: Record<string, string> = {
  pipeline: 'Pipeline Hook',
  build: 'Job Hook',
  note: 'Note Hook',
  merge_request: 'Merge Request Hook',
};

describe('the events of a hook', () => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await setUp();
  });
  afterAll(async () => setup.server.close());

  function runWith(more: object = {}) {
    const { server, project, dev, merge_request } = setup;
    const jobs = [{ name: 'lint' }, { name: 'plan', archive: Buffer.from('PK') }];
    return server.runPipeline(project, {
      sha: getHeadSha(setup),
      ref: 'refs/merge-requests/1/head',
      user: dev,
      merge_request,
      jobs,
      ...more,
    });
  }

  test.each(['success', 'failed', 'canceled', 'manual'])(
    'a pipeline that ends as %s is a finished run',
    async (status) => {
      const { server, project, platform } = setup;
      const pipeline = runWith({ status });

      const [event, ...others] = readEvents(server.hooks.pipeline(pipeline));
      const run = (await platform.listRuns(project.path, getHeadSha(setup)))[0];
      expect(run).toMatchObject({ id: String(pipeline.id), number: pipeline.jobs.at(-1)?.id });
      expect(event).toEqual({ what: 'run_finished', repo: 'group/sub/infra', run });
      expect(others).toEqual([]);
    },
  );

  test.each([
    ['still runs', { status: 'running' }],
    ['left no archive', { jobs: [{ name: 'plan' }] }],
    ['is of a tag', { tag: true, merge_request: undefined }],
    ['was skipped', { status: 'skipped' }],
  ])('a pipeline that %s is ignored', (_name, more) => {
    expect(readEvents(setup.server.hooks.pipeline(runWith(more)))).toEqual([]);
  });

  test('a branch pipeline counts; a pipeline of a closed or foreign merge request does not', () => {
    const { server, project, dev, merge_request } = setup;
    expect(readEvents(server.hooks.pipeline(runWith({ merge_request: undefined, ref: 'feature' })))).toHaveLength(1);

    const fork = server.addProject('fork/infra');
    const jobs = [{ name: 'plan', archive: Buffer.from('PK') }];
    const theirs = server.runPipeline(fork, { sha: getHeadSha(setup), ref: 'feature', user: dev, merge_request, jobs });
    expect(readEvents(server.hooks.pipeline(theirs))).toEqual([]);
    const closed = server.openMergeRequest(project, { author: dev, branch: 'closed' });
    closed.state = 'closed';
    expect(readEvents(server.hooks.pipeline(runWith({ merge_request: closed })))).toEqual([]);
  });

  test('job hooks are ignored, and our own status reports the same run again', async () => {
    const { server, project, platform, pr } = setup;
    const pipeline = runWith();
    for (const job of pipeline.jobs) expect(readEvents(server.hooks.job(pipeline, job))).toEqual([]);
    const [before] = readEvents(server.hooks.pipeline(pipeline));

    const update = { head_sha: getHeadSha(setup), title: 't', summary: '', text: '', url: null };
    const { id } = await platform.setCheck(pr, null, { ...update, conclusion: null });
    await platform.setCheck(pr, id, { ...update, conclusion: 'success' });
    expect(project.statuses.at(-1)?.pipeline).toBe(pipeline);
    const events = server.state.hooks
      .slice(-2)
      .map((hook) => readEvents({ event: hook.event, raw: Buffer.from(JSON.stringify(hook.payload)) }));
    expect(events).toEqual([[], [before]]);
  });

  test.each([
    [{ action: 'open' }, true],
    [{ action: 'reopen' }, true],
    [{ action: 'close' }, true],
    [{ action: 'merge' }, true],
    [{ action: 'approved' }, true],
    [{ action: 'update', oldrev: 'a'.repeat(40) }, true],
    [{ action: 'update', changes: { target_branch: { previous: 'a', current: 'b' } } }, true],
    [{ action: 'update', changes: { title: { previous: 'a', current: 'b' } } }, false],
    [{ action: 'something new' }, false],
  ])('a merge request with %j is a change: %s', (input, is_change) => {
    const { server, merge_request, dev, pr } = setup;

    const events = readEvents(server.hooks.mergeRequest(merge_request, { user: dev, ...input }));
    expect(events).toEqual(is_change ? [{ what: 'pull_request_changed', pr }] : []);
  });

  test.each([
    ['/drift', '/drift'],
    ['/drift explain aws_s3_bucket.a\r\nplease', '/drift explain aws_s3_bucket.a'],
    ['/DRIFT help\n\nmore', '/DRIFT help'],
    ['/drifting along', null],
    ['see /drift help', null],
    ['thanks\n/drift help', null],
    ['', null],
  ])('the comment %j is parsed as %j', (body, line) => {
    const { server, merge_request, dev, pr } = setup;
    const note = server.comment(merge_request, dev, body);

    const command = { what: 'command', pr, comment_id: String(note.id), author: 'dev', line };
    expect(readEvents(server.hooks.note(note))).toEqual(line === null ? [] : [command]);
  });

  test('edited comments, bot comments and system notes are ignored', () => {
    const { server, merge_request, dev } = setup;
    const says = (username: string) => server.comment(merge_request, server.addUser(username), '/drift help');

    expect(readEvents(server.hooks.note(server.comment(merge_request, dev, '/drift help'), 'update'))).toEqual([]);
    expect(readEvents(server.hooks.note(says('project_12_bot_abc')))).toEqual([]);
    expect(readEvents(server.hooks.note(says('group_12_bot2')))).toEqual([]);
    const system = server.comment(merge_request, dev, '/drift help', { system: true });
    expect(readEvents(server.hooks.note(system))).toEqual([]);
  });

  test('any other hook is ignored without an error', () => {
    const anything = fc.oneof(fc.string(), fc.json(), fc.constantFrom('null', '[]', '{', '{"object_kind":"pipeline"}'));
    const event = fc.constantFrom(...Object.values(EVENTS), 'Push Hook', 'constructor', '');

    fc.assert(
      fc.property(event, anything, (name, text) => readEvents({ event: name, raw: Buffer.from(text) }).length === 0),
    );
  });

  test('missing or mistyped members of a hook are ignored without an error', () => {
    const { server, merge_request, dev } = setup;
    const hooks = [
      server.hooks.pipeline(runWith()),
      server.hooks.note(server.comment(merge_request, dev, '/drift help')),
      server.hooks.mergeRequest(merge_request, { action: 'open', user: dev }),
    ];
    for (const { event, raw } of hooks) {
      const whole: Record<string, unknown> = JSON.parse(raw.toString('utf8'));
      for (const key of ['object_kind', 'object_attributes', 'project']) {
        for (const value of [undefined, null, 7, 'x', [], {}]) {
          const changed = Buffer.from(JSON.stringify({ ...whole, [key]: value }));
          expect(readEvents({ event, raw: changed })).toEqual([]);
        }
      }
    }
  });

  const stored = existsSync(STORED) ? readdirSync(STORED).filter((file) => file.endsWith('.json')) : [];
  const testStored = stored.length > 0 ? test : test.skip;

  testStored('of the payloads in ../shared/fixtures/webhooks/gitlab, one is a change and none is anything else', () => {
    const found = stored.flatMap((file) => {
      const raw = readFileSync(join(STORED, file));
      const { object_kind } = JSON.parse(raw.toString('utf8')) as { object_kind: string };
      return readEvents({ event: EVENTS[object_kind] ?? object_kind, raw }).map((event) => ({ file, event }));
    });

    const pr = { repo: 'gitlabhq/gitlab-test', pr_number: 1 };
    expect(found).toEqual([{ file: 'merge_request.json', event: { what: 'pull_request_changed', pr } }]);
  });

  testStored(
    'the payloads in ../shared/fixtures/webhooks/gitlab with an archive, and with a command, are understood',
    () => {
      const load = (file: string) => JSON.parse(readFileSync(join(STORED, file), 'utf8'));
      const pipeline = load('pipeline.json');
      pipeline.builds[2].artifacts_file = { filename: 'artifacts.zip', size: 10 };
      const note = load('note_merge_request.json');
      note.object_attributes.note = '/drift rescan';

      expect(readEvents({ event: 'Pipeline Hook', raw: Buffer.from(JSON.stringify(pipeline)) })).toEqual([
        {
          what: 'run_finished',
          repo: 'gitlab-org/gitlab-test',
          run: {
            id: '31',
            number: 380,
            head_sha: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2',
            url: 'http://192.168.64.1:3005/gitlab-org/gitlab-test/-/pipelines/31',
          },
        },
      ]);
      expect(readEvents({ event: 'Note Hook', raw: Buffer.from(JSON.stringify(note)) })).toMatchObject([
        {
          what: 'command',
          pr: { repo: 'gitlab-org/gitlab-test', pr_number: 1 },
          author: 'root',
          line: '/drift rescan',
        },
      ]);
    },
  );
});

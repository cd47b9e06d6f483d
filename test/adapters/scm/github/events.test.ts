import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGithub } from '../../../../server/adapters/scm/github/index.ts';
import type { BotEvent } from '../../../../server/adapters/scm/types.ts';
import { createLogger } from '../../../../server/log.ts';
import { examples, type GithubServer, startGithubServer } from '../../../fakes/github-server.ts';
import { openGithub } from './open-github.ts';

const REPO = 'acme/infra';

let server: GithubServer;
let read: (delivery: { headers: Record<string, string>; body: Buffer }) => Promise<BotEvent[]>;
let pr_number: number;
let head_sha: string;

beforeAll(async () => {
  server = await startGithubServer();
  server.addRepo(REPO);
  server.install([REPO]);
  const pull = server.openPullRequest(REPO);
  ({ number: pr_number } = pull);
  head_sha = pull.commits[0]!;
  const { github } = openGithub(server);
  read = ({ headers, body }) => github.events({ id: '1', event: headers['x-github-event']!, raw: body });
});
afterAll(() => server.stop());

function payload(event: string, body: unknown): Promise<BotEvent[]> {
  return read({ headers: { 'x-github-event': event }, body: Buffer.from(JSON.stringify(body)) });
}

describe('what deliveries mean', () => {
  test('a run that was completed may have left plans', async () => {
    const run = server.addRun(REPO, { head_sha, run_attempt: 3 });
    const activity = { event: 'workflow_run', repo: REPO, run_id: run.id } as const;

    expect(await read(server.deliver(activity, { hook: 'repository' }))).toEqual([
      {
        what: 'run_finished',
        repo: REPO,
        run: {
          id: String(run.id),
          number: run.id * 100 + 3,
          head_sha,
          url: `${server.url}/acme/infra/actions/runs/${run.id}`,
        },
      },
    ]);
    expect(await read(server.deliver({ ...activity, action: 'requested' }))).toEqual([]);
  });

  test.each([
    ['opened', 1],
    ['synchronize', 1],
    ['reopened', 1],
    ['closed', 1],
    ['ready_for_review', 1],
    ['converted_to_draft', 1],
    ['labeled', 0],
    ['assigned', 0],
    ['edited', 0],
  ])('a pull request that was %s is looked at %d times', async (action, times) => {
    const events = await read(server.deliver({ event: 'pull_request', repo: REPO, pr_number, action }));

    expect(events).toEqual(Array(times).fill({ what: 'pull_request_changed', pr: { repo: REPO, pr_number } }));
  });

  test('a check is made again when it is ours, not another App’s and not one of another name', async () => {
    const { checks } = server.state.repos.get(REPO)!;
    const check = (id: number, name: string, app_id: number) => ({
      id,
      name,
      app_id,
      head_sha,
      status: 'completed',
      conclusion: 'neutral',
      details_url: null,
      output: { title: null, summary: null, text: null },
      started_at: null,
      completed_at: null,
      history: [],
    });
    checks.push(check(1, 'drift/plan', server.app.app_id), check(2, 'drift/plan', 7), check(3, 'x', server.app.app_id));
    const rerequested = (check_run_id: number) =>
      read(server.deliver({ event: 'check_run', repo: REPO, check_run_id, action: 'rerequested' }));

    expect(await rerequested(1)).toEqual([{ what: 'check_rerequested', repo: REPO, head_sha }]);
    expect(await rerequested(2)).toEqual([]);
    expect(await rerequested(3)).toEqual([]);
  });

  test('all checks are made again when the suite is ours', async () => {
    const readSuite = (id: number) =>
      payload('check_suite', {
        action: 'rerequested',
        repository: { full_name: REPO },
        check_suite: { head_sha, app: { id } },
      });

    expect(await readSuite(server.app.app_id)).toEqual([{ what: 'check_rerequested', repo: REPO, head_sha }]);
    expect(await readSuite(7)).toEqual([]);
  });

  test.each([
    ['/drift rescan', '/drift rescan'],
    ['/drift', '/drift'],
    ['/drift explain aws_instance.web  \r\nand more', '/drift explain aws_instance.web'],
    ['/drifting', null],
    [' /drift rescan', null],
    ['please\n/drift rescan', null],
    ['> /drift rescan', null],
  ])('of the comment %j the command is %j', async (body, line) => {
    const { id } = server.comment(REPO, pr_number, 'dev', body);

    const events = await read(server.deliver({ event: 'issue_comment', repo: REPO, comment_id: id }));

    const command = { what: 'command', pr: { repo: REPO, pr_number }, comment_id: String(id), author: 'dev', line };
    expect(events).toEqual(line === null ? [] : [command]);
  });

  test('what was edited, what a bot or an App wrote, and what stands on an issue is no command', async () => {
    const comment = server.comment(REPO, pr_number, 'dev', '/drift rescan');
    const activity = { event: 'issue_comment', repo: REPO, comment_id: comment.id } as const;
    const { body } = server.deliver(activity);
    const readChanged = (change: (payload: Record<string, Record<string, unknown>>) => void) => {
      const changed = JSON.parse(body.toString());
      change(changed);
      return payload('issue_comment', changed);
    };

    expect(await readChanged(() => {})).toHaveLength(1);
    expect(await read(server.deliver({ ...activity, action: 'edited' }))).toEqual([]);
    expect(
      await readChanged(({ comment }) => Object.assign(comment!, { performed_via_github_app: { id: 7 } })),
    ).toEqual([]);
    expect(await readChanged(({ comment }) => Object.assign(comment!['user'] as object, { type: 'Bot' }))).toEqual([]);
    expect(await readChanged(({ sender }) => Object.assign(sender!, { type: 'Bot' }))).toEqual([]);
    expect(await readChanged(({ issue }) => delete issue!['pull_request'])).toEqual([]);
  });
});

describe('every real payload', () => {
  /** What the examples hold, told apart without our code. */
  function expectsEvent(event: string, { action = '' }: { action?: string }): boolean {
    if (event === 'workflow_run') return action === 'completed';
    const changes = ['opened', 'synchronize', 'reopened', 'closed', 'ready_for_review', 'converted_to_draft'];
    return event === 'pull_request' && changes.includes(action);
  }

  test('is read without a throw, and gives an event exactly where one is wanted', async () => {
    const wrong: string[] = [];
    let event_count = 0;
    for (const { name, examples: payloads } of examples()) {
      for (const [index, example] of payloads.entries()) {
        const events = await payload(name, example);
        event_count += events.length;
        if (events.length !== (expectsEvent(name, example) ? 1 : 0)) wrong.push(`${name}.${example.action} ${index}`);
      }
    }

    expect(wrong).toEqual([]);
    expect(event_count).toBeGreaterThan(15);
  });

  test('that lost any member, or has one of another type, is read without a throw', async () => {
    for (const [event, action] of [
      ['workflow_run', 'completed'],
      ['pull_request', 'opened'],
      ['check_run', 'rerequested'],
      ['issue_comment', 'created'],
    ] as const) {
      const example = examples()
        .find(({ name }) => name === event)!
        .examples.findLast((one) => one.action === action)!;
      for (const member of ['repository', 'sender', 'installation', 'check_run', 'pull_request', 'comment', 'issue']) {
        for (const value of [undefined, null, 7, 'x', [], {}, { number: '7', id: -1, body: 1 }]) {
          const events = await payload(event, { ...example, [member]: value });
          expect(events.length).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test.each([['not json'], ['null'], ['7'], ['[]'], [''], ['{"action":{}}'], ['{"action":"completed"}']])(
    'that reads %j means nothing',
    async (text) => {
      const { headers } = server.deliver({ event: 'pull_request', repo: REPO, pr_number, action: 'opened' });

      expect(await read({ headers, body: Buffer.from(text) })).toEqual([]);
    },
  );

  test('is never logged', async () => {
    const lines: string[] = [];
    const log = createLogger({ log_level: 'trace' }, { write: (line) => void lines.push(line) });
    const github = createGithub({ app: null, fetch, now: () => new Date(), log });

    await github.events({ id: '9', event: 'pull_request', raw: Buffer.from('{"action":"opened","words":"secret"}') });
    await github.events({ id: '9', event: '', raw: Buffer.from('{"words":"secret"}') });

    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['A delivery of GitHub could not be read']);
    expect(lines.join()).not.toContain('secret');
  });
});

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

describe('the events of a delivery', () => {
  test('a completed run is reported as finished', async () => {
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
  ])('a pull request that was %s causes %d events', async (action, times) => {
    const events = await read(server.deliver({ event: 'pull_request', repo: REPO, pr_number, action }));

    expect(events).toEqual(Array(times).fill({ what: 'pull_request_changed', pr: { repo: REPO, pr_number } }));
  });

  test('a rerun of our own check is an event; a check of another App or name is not', async () => {
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

  test('a rerun of our own check suite is an event', async () => {
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
  ])('the comment %j is parsed as the command %j', async (body, line) => {
    const { id } = server.comment(REPO, pr_number, 'dev', body);

    const events = await read(server.deliver({ event: 'issue_comment', repo: REPO, comment_id: id }));

    const command = { what: 'command', pr: { repo: REPO, pr_number }, comment_id: String(id), author: 'dev', line };
    expect(events).toEqual(line === null ? [] : [command]);
  });

  test('edited comments, comments of bots and Apps, and issue comments are not commands', async () => {
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
  /** Whether an example is of an event that the bot handles, determined without our code. */
  function expectsEvent(
    event: string,
    { action = '', review }: { action?: string; review?: { state?: string } },
  ): boolean {
    if (event === 'workflow_run') return action === 'completed';
    if (event === 'pull_request_review') return action === 'submitted' && review?.state === 'approved';
    const changes = ['opened', 'synchronize', 'reopened', 'closed', 'ready_for_review', 'converted_to_draft'];
    return event === 'pull_request' && changes.includes(action);
  }

  test('is parsed without an error, and gives an event exactly if one is expected', async () => {
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

  test.each([
    ['approved', true],
    ['commented', false],
    ['changes_requested', false],
  ])('of a review that is %s gives an event: %s', async (state, is_event) => {
    const example = examples().find(({ name }) => name === 'pull_request_review')!.examples[0]!;
    const events = await payload('pull_request_review', {
      ...example,
      action: 'submitted',
      review: { ...(example['review'] as object), state },
    });

    expect(events.map(({ what }) => what)).toEqual(is_event ? ['pull_request_changed'] : []);
  });

  test('with a missing or mistyped member is parsed without an error', async () => {
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
    'that reads %j causes no event',
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

    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a delivery of GitHub could not be parsed']);
    expect(lines.join()).not.toContain('secret');
  });
});

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { IssueTracker } from '../../../../server/adapters/scm/issues/types.ts';
import { createTrackers, type FakeIssueHost, startGithubIssues, startGitlabIssues } from './setup.ts';

const MARK = '<!-- dpa:schedule 1 -->';
const CONTENT = { title: 'Drift: nightly', body: `${MARK}\n\nSomething differs.` };
const LONG_AGO = new Date(0);

describe.each([
  ['GitHub', startGithubIssues],
  ['GitLab', startGitlabIssues],
])('issues at %s', (_name, start) => {
  let host: FakeIssueHost;
  let tracker: IssueTracker;
  let waits: number[];
  beforeEach(async () => {
    host = await start();
    const trackers = createTrackers();
    tracker = trackers.open(host.access);
    ({ waits } = trackers);
  });
  afterEach(() => host.stop());

  test('an issue is created, changed, closed, opened again and commented on', async () => {
    const number = await tracker.create(CONTENT);
    expect(host.issues()).toEqual([{ number, ...CONTENT, is_open: true, comments: [] }]);

    expect(await tracker.update(number, { ...CONTENT, title: 'Drift: weekly', is_open: false })).toBe(true);
    expect(host.issues()).toMatchObject([{ title: 'Drift: weekly', is_open: false }]);

    expect(await tracker.update(number, { ...CONTENT, is_open: true })).toBe(true);
    await tracker.comment(number, '<!-- dpa:delivery 2 -->\n\nWorse.');
    expect(host.issues()).toMatchObject([{ is_open: true, comments: ['<!-- dpa:delivery 2 -->\n\nWorse.'] }]);
    expect(await tracker.hasComment(number, '<!-- dpa:delivery 2 -->', LONG_AGO)).toBe(true);
    expect(await tracker.hasComment(number, '<!-- dpa:delivery 3 -->', LONG_AGO)).toBe(false);
    expect(await tracker.hasComment(number, '<!-- dpa:delivery 2 -->', new Date(Date.now() + 60_000))).toBe(false);
  });

  test('an issue is found by its mark on any page, also when it is closed, and never one of another person', async () => {
    host.addForeignIssue(`${MARK} copied by a stranger`);
    expect(await tracker.find(MARK, LONG_AGO)).toBeUndefined();
    for (let index = 0; index < 120; index += 1) host.addForeignIssue('Something else');
    const number = await tracker.create(CONTENT);
    await tracker.update(number, { ...CONTENT, is_open: false });

    expect(await tracker.find(MARK, LONG_AGO)).toBe(number);
    expect(await tracker.find(MARK, new Date(Date.now() + 60_000))).toBeUndefined();
  });

  test('a deleted issue is reported, and not an error', async () => {
    const number = await tracker.create(CONTENT);
    host.deleteIssues();

    expect(await tracker.update(number, { ...CONTENT, is_open: true })).toBe(false);
  });

  test('a creation whose response was lost is not repeated by itself, and its issue is found', async () => {
    host.fail({ method: 'POST', status: 0, is_processed: true });

    await expect(tracker.create(CONTENT)).rejects.toMatchObject({ error_class: 'unavailable' });
    expect(host.issues()).toHaveLength(1);
    expect(await tracker.find(MARK, LONG_AGO)).toBe(host.issues()[0]?.number);
  });

  test('a short wait that the host asks for is made, and a long one is passed on', async () => {
    host.fail({ method: 'POST', status: 429, headers: { 'retry-after': '3' } });
    await tracker.create(CONTENT);
    expect(waits).toContain(3_000);

    host.fail({ method: 'POST', status: 429, headers: { 'retry-after': '120' } });
    await expect(tracker.create(CONTENT)).rejects.toMatchObject({ error_class: 'rate_limited' });
    expect(host.issues()).toHaveLength(1);
  });

  test.each<[string, (host: FakeIssueHost) => void, string]>([
    ['issues are turned off', (one) => one.turnOffIssues(), 'issues_disabled'],
    ['the repository is archived', (one) => one.archive(), 'archived'],
    ['the repository is gone', (one) => one.hideRepository(), 'no_repository'],
    ['the token may not write', (one) => one.takePermission(), 'no_permission'],
  ])('when %s, nothing is written and the reason is known', async (_title, change, reason) => {
    change(host);

    await expect(tracker.create(CONTENT)).rejects.toMatchObject({
      error_class: expect.stringMatching(/^(gone|forbidden)$/),
    });
    expect(await tracker.explain()).toBe(reason);
    expect(host.issues()).toEqual([]);
  });
});

import type { Permission, PullRequestRef } from '../types.ts';
import { type GitlabApi, listPages } from './api.ts';
import { fallbackWhenGone } from './failures.ts';
import type { MergeRequestReader } from './merge-requests.ts';
import { Approvals, Member, Note, read, readAll, User, Version, WholeUser } from './shapes.ts';

/** Access levels of GitLab: 10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
const GUEST = 10;
const DEVELOPER = 30;
/** System note of an approval; it contains the time. */
const APPROVED = 'approved this merge request';
/** Default names of the bot users of project and group tokens, and of service accounts. */
const BOT_NAME = /^(?:(?:project|group)_\d+_bot(?:_\w*|\d*)|service_account_.+)$/;

export function isBotName(username: string): boolean {
  return BOT_NAME.test(username);
}

/** Reads permissions and approvals. */
export function createPeople(
  api: () => Promise<GitlabApi>,
  ownId: () => Promise<string>,
  mergeRequests: MergeRequestReader,
) {
  /**
   * By default an approval stays valid after a push, and authors can approve their own merge requests. Only an approval of
   * another person for the newest version counts.
   */
  async function isApproved(pr: PullRequestRef): Promise<boolean> {
    const { approvals } = await api();
    const answer = await approvals.showConfiguration(pr.repo, { mergerequestIId: pr.pr_number });
    const { approved_by } = read(Approvals, answer);
    if (approved_by.length === 0) return false;
    const involved = [await ownId(), String((await mergeRequests.load(pr)).author?.id)];
    const others = approved_by.filter(({ user }) => !involved.includes(String(user.id)));
    if (others.length === 0) return false;
    const approvers = await listApproversSincePush(pr);
    for (const { user } of others) {
      if (approvers.has(user.id) && (await isPerson(user))) return true;
    }
    return false;
  }

  /** IDs of users who have approved since the last push. */
  async function listApproversSincePush({ repo, pr_number }: PullRequestRef): Promise<Set<number>> {
    const { mergeRequests, notes } = await api();
    const versions = readAll(Version, await mergeRequests.allDiffVersions(repo, pr_number));
    const pushed_at = Math.max(...versions.map(({ created_at }) => Date.parse(created_at)));
    const ids = new Set<number>();
    const newest_first = { sort: 'desc', orderBy: 'created_at' } as const;
    for await (const page of listPages((page) => notes.all(repo, pr_number, { ...newest_first, ...page }))) {
      for (const { system, body, author, created_at } of readAll(Note, page)) {
        if (Date.parse(created_at) < pushed_at) return ids;
        if (system && body === APPROVED && author != null) ids.add(author.id);
      }
    }
    return ids;
  }

  async function isPerson({ id, username }: { id: number; username: string }): Promise<boolean> {
    if (isBotName(username)) return false;
    const { users } = await api();
    const user = await fallbackWhenGone(null, () => users.show(id));
    return user !== null && read(WholeUser, user).bot !== true;
  }

  async function readPermission(repo: string, login: string): Promise<Permission> {
    const { users, members } = await api();
    const found = readAll(User, await users.all({ username: login })).find(
      ({ username }) => username.toLowerCase() === login.toLowerCase(),
    );
    if (found === undefined) return 'none';
    const member = await fallbackWhenGone(null, () => members.show(repo, found.id, { includeInherited: true }));
    if (member === null) return 'none';
    const { access_level, state = 'active' } = read(Member, member);
    if (state !== 'active' || access_level < GUEST) return 'none';
    return access_level >= DEVELOPER ? 'write' : 'read';
  }

  return { isApproved, readPermission };
}

import type { PullRequestRef } from '../types.ts';
import { type GitlabApi, listPages } from './api.ts';
import { fallbackWhenGone } from './failures.ts';
import { NewNote, Note, read, readAll } from './shapes.ts';

/**
 * Comments are notes and not threads, because an open thread can block a merge.
 *
 * @param ownId returns the ID of the user of the token
 */
export function createComments(api: () => Promise<GitlabApi>, ownId: () => Promise<string>) {
  async function* listOwnComments({ repo, pr_number }: PullRequestRef): AsyncGenerator<{ id: string; body: string }> {
    const { notes } = await api();
    const own_id = await ownId();
    const oldest_first = { sort: 'asc', orderBy: 'created_at' } as const;
    for await (const page of listPages((page) => notes.all(repo, pr_number, { ...oldest_first, ...page }))) {
      for (const { id, body, system, author } of readAll(Note, page)) {
        if (!system && String(author?.id) === own_id) yield { id: String(id), body };
      }
    }
  }

  async function createComment({ repo, pr_number }: PullRequestRef, body: string): Promise<{ id: string }> {
    const { notes } = await api();
    const { id } = read(NewNote, await notes.create(repo, pr_number, body));
    return { id: String(id) };
  }

  async function updateComment({ repo, pr_number }: PullRequestRef, id: string, body: string): Promise<boolean> {
    const { notes } = await api();
    const note = await fallbackWhenGone(null, () => notes.edit(repo, pr_number, Number(id), { body }));
    return note !== null;
  }

  /** GitLab returns 404 for an existing reaction and for a deleted comment: both are ignored. */
  async function react({ repo, pr_number }: PullRequestRef, comment_id: string): Promise<void> {
    const { emojis } = await api();
    await fallbackWhenGone(null, () => emojis.award(repo, pr_number, Number(comment_id), 'eyes'));
  }

  return { listOwnComments, createComment, updateComment, react };
}

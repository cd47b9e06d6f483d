import { createInvalidField, createNotFound, ok, paginate, type Reply, type RepoCall, readText } from '../http.ts';
import { showAccount, showComment } from '../shapes.ts';
import { type Account, type Comment, ensureAccount } from '../state.ts';

const MOST_CHARACTERS = 65_536;
const REACTIONS = new Set(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']);

/** Oldest first; with `since`, those that changed since then. */
export function listComments(call: RepoCall): Reply {
  const { github, repo } = call;
  const pr_number = readIssueNumber(call);
  const since = call.query.get('since');
  const comments = repo.comments
    .filter((comment) => comment.pr_number === pr_number && !comment.deleted)
    .filter(({ updated_at }) => since === null || updated_at >= new Date(since))
    .map((comment) => showComment(github, repo, comment));
  return paginate(call, `/repos/${repo.full_name}/issues/${pr_number}/comments`, comments);
}

export function createComment(call: RepoCall): Reply {
  const { github, repo } = call;
  const pr_number = readIssueNumber(call);
  const at = new Date(github.now());
  const body = readCommentBody(call);
  const comment: Comment = {
    id: github.nextId(),
    pr_number,
    author: findAuthor(call),
    app_id: isApp(call) ? github.app.app_id : null,
    body,
    created_at: at,
    updated_at: at,
    history: [{ body, at }],
    reactions: [],
    deleted: false,
  };
  repo.comments.push(comment);
  return ok(showComment(github, repo, comment), 201);
}

export function getComment(call: RepoCall): Reply {
  return ok(showComment(call.github, call.repo, getRequestedComment(call)));
}

export function updateComment(call: RepoCall): Reply {
  const comment = getRequestedComment(call);
  const body = readCommentBody(call);
  const at = new Date(call.github.now());
  Object.assign(comment, { body, updated_at: at });
  comment.history.push({ body, at });
  return ok(showComment(call.github, call.repo, comment));
}

/** 200 for a reaction that the user gave before, 201 for a new one. */
export function reactToComment(call: RepoCall): Reply {
  const comment = getRequestedComment(call);
  const content = readText(call.body, 'content') ?? '';
  if (!REACTIONS.has(content)) throw createInvalidField('Reaction', 'content', `${content} is not a reaction`);
  const { login } = findAuthor(call);
  const known = comment.reactions.some((reaction) => reaction.content === content && reaction.login === login);
  if (!known) comment.reactions.push({ content, login });
  return ok({ id: comment.id, content, user: showAccount(call.github, findAuthor(call)) }, known ? 200 : 201);
}

function readCommentBody({ body }: RepoCall): string {
  const written = readText(body, 'body');
  if (written === undefined || written.trim() === '') {
    throw createInvalidField('IssueComment', 'body', 'body cannot be blank');
  }
  if ([...written].length > MOST_CHARACTERS) {
    throw createInvalidField('IssueComment', 'body', `body is too long (maximum is ${MOST_CHARACTERS} characters)`);
  }
  return written;
}

function readIssueNumber({ repo, params }: RepoCall): number {
  const number = Number(params['number']);
  if (!repo.pulls.has(number) && !repo.issues.some((issue) => issue.number === number)) throw createNotFound();
  return number;
}

function getRequestedComment({ repo, params }: RepoCall): Comment {
  const comment = repo.comments.find(({ id }) => id === Number(params['comment_id']));
  if (comment === undefined || comment.deleted) throw createNotFound();
  return comment;
}

function isApp({ who }: RepoCall): boolean {
  return who.kind === 'token' && who.token.owner.kind === 'installation';
}

function findAuthor({ github, who }: RepoCall): Account {
  if (who.kind !== 'token') return ensureAccount(github, 'ghost');
  return who.token.owner.kind === 'user' ? who.token.owner.account : github.app.account;
}

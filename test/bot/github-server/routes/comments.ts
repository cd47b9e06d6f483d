import { invalid, notFound, ok, page, type Reply, type RepoCall, text } from '../http.ts';
import { showAccount, showComment } from '../shapes.ts';
import { type Account, accountOf, type Comment } from '../world.ts';

const MOST_CHARACTERS = 65_536;
const REACTIONS = new Set(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']);

/** Oldest first. */
export function listComments(call: RepoCall): Reply {
  const { world, repo } = call;
  const pr_number = issueOf(call);
  const comments = repo.comments
    .filter((comment) => comment.pr_number === pr_number && !comment.deleted)
    .map((comment) => showComment(world, repo, comment));
  return page(call, `/repos/${repo.full_name}/issues/${pr_number}/comments`, comments);
}

export function createComment(call: RepoCall): Reply {
  const { world, repo } = call;
  const pr_number = issueOf(call);
  const at = new Date(world.now());
  const body = bodyOf(call);
  const comment: Comment = {
    id: world.nextId(),
    pr_number,
    author: authorOf(call),
    app_id: isApp(call) ? world.app.app_id : null,
    body,
    created_at: at,
    updated_at: at,
    history: [{ body, at }],
    reactions: [],
    deleted: false,
  };
  repo.comments.push(comment);
  return ok(showComment(world, repo, comment), 201);
}

export function getComment(call: RepoCall): Reply {
  return ok(showComment(call.world, call.repo, wanted(call)));
}

export function updateComment(call: RepoCall): Reply {
  const comment = wanted(call);
  const body = bodyOf(call);
  const at = new Date(call.world.now());
  Object.assign(comment, { body, updated_at: at });
  comment.history.push({ body, at });
  return ok(showComment(call.world, call.repo, comment));
}

/** 200 for one that the user gave before, 201 for a new one. */
export function reactToComment(call: RepoCall): Reply {
  const comment = wanted(call);
  const content = text(call.body, 'content') ?? '';
  if (!REACTIONS.has(content)) throw invalid('Reaction', 'content', `${content} is not a reaction`);
  const { login } = authorOf(call);
  const known = comment.reactions.some((reaction) => reaction.content === content && reaction.login === login);
  if (!known) comment.reactions.push({ content, login });
  return ok({ id: comment.id, content, user: showAccount(call.world, authorOf(call)) }, known ? 200 : 201);
}

function bodyOf({ body }: RepoCall): string {
  const written = text(body, 'body');
  if (written === undefined || written.trim() === '') {
    throw invalid('IssueComment', 'body', 'body cannot be blank');
  }
  if ([...written].length > MOST_CHARACTERS) {
    throw invalid('IssueComment', 'body', `body is too long (maximum is ${MOST_CHARACTERS} characters)`);
  }
  return written;
}

function issueOf({ repo, params }: RepoCall): number {
  const number = Number(params['number']);
  if (!repo.pulls.has(number)) throw notFound();
  return number;
}

function wanted({ repo, params }: RepoCall): Comment {
  const comment = repo.comments.find(({ id }) => id === Number(params['comment_id']));
  if (comment === undefined || comment.deleted) throw notFound();
  return comment;
}

function isApp({ who }: RepoCall): boolean {
  return who.kind === 'token' && who.token.owner.kind === 'installation';
}

function authorOf({ world, who }: RepoCall): Account {
  if (who.kind !== 'token') return accountOf(world, 'ghost');
  return who.token.owner.kind === 'user' ? who.token.owner.account : world.app.account;
}

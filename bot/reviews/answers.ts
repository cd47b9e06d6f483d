import { type Dialect, escapeQuickActions, inertName } from '../../engine/index.ts';
import { type Platform, PlatformError, type PullRequestRef } from '../../server/adapters/scm/types.ts';
import type { CommandAnswer, HeldPullRequest, KeptAnswer } from '../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../server/log.ts';
import { reviewKey } from './compose.ts';

type Pending = Exclude<KeptAnswer, { state: 'posted' | 'refused' }>;

/** User names that Git hosts allow; any other name is not mentioned. */
const LOGIN = /^[A-Za-z0-9_][\w.-]{0,254}$/;
/** Errors that a retry cannot resolve. */
const FINAL = new Set(['gone', 'rejected']);

/**
 * Posts pending answers to commands, oldest first, each as a separate comment that mentions the author of the command. Each
 * attempt is recorded before it starts. If an attempt was interrupted, our own comments are searched for its marker first,
 * so that a command gets exactly one answer.
 *
 * @throws PlatformError for errors that a retry can resolve
 */
export async function postAnswers(platform: Platform, held: HeldPullRequest, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const answer of held.pull_request.answers) {
    if (!isPending(answer)) continue;
    await held.markAnswer(answer.comment_id, (await post(platform, held, answer, log)) ? 'posted' : 'refused');
  }
}

function isPending(answer: KeptAnswer): answer is Pending {
  return answer.state === 'new' || answer.state === 'posting';
}

/** @returns false if the Git host rejects the comment */
async function post(
  platform: Platform,
  held: HeldPullRequest,
  answer: Pending,
  log: Pick<Logger, 'warn'>,
): Promise<boolean> {
  const { repo, pr_number, org_id, id } = held.pull_request;
  const ref = { repo, pr_number };
  const mark = answerMark(reviewKey(held.pull_request), answer);
  if (answer.state === 'posting' && (await isPosted(platform, ref, mark))) return true;
  await held.markAnswer(answer.comment_id, 'posting');
  held.signal.throwIfAborted();
  try {
    await platform.createComment(ref, answerComment(mark, answer, platform.dialect));
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError) || !FINAL.has(error.error_class)) throw error;
    const { error_class, message } = error;
    log.warn(
      { org_id, pull_request_id: id, error_class, why: message },
      'the Git host rejected an answer to a command',
    );
    return false;
  }
}

async function isPosted(platform: Platform, ref: PullRequestRef, mark: string): Promise<boolean> {
  for await (const { body } of platform.listOwnComments(ref)) {
    if (body.split(/\r?\n/, 1)[0] === mark) return true;
  }
  return false;
}

/** The first line: an invisible marker that identifies the command and the pull request. */
function answerMark(key: string, { comment_id }: Pending): string {
  return `<!-- dpa:answer {"k":"${key}","to":${JSON.stringify(comment_id)}} -->`;
}

/** Formats an answer with its marker. Mentions only the author of the command. */
export function answerComment(mark: string, { author, title, body }: CommandAnswer, dialect: Dialect): string {
  const who = LOGIN.test(author) ? `@${author}` : inertName(author);
  return `${mark}\n${escapeQuickActions(`${who}, ${inertName(title)}:\n\n${body}`, dialect)}\n`;
}

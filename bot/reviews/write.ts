import { createHash } from 'node:crypto';
import { compareLevels, type RenderedReview, type Review, readMark } from '../../engine/index.ts';
import { type Platform, PlatformError, type PullRequestRef } from '../../server/adapters/scm/types.ts';
import type { HeldPullRequest, PublishedReview } from '../../server/domains/pull-requests/index.ts';
import { warningText } from './warning.ts';

/** A review to publish. */
export interface ReviewPublication {
  platform: Platform;
  held: HeldPullRequest;
  /** Setting of the organization: one comment that is kept up to date, a new one for each result, or none. */
  comment_mode: 'upsert' | 'new' | 'off';
  review: Review;
  rendered: RenderedReview;
  /** Whether the comment can be changed now; the check can always be changed. */
  can_comment: boolean;
  /** Whether the review is still about the newest commit; asks the Git host before anything is written. */
  isCurrent(): Promise<boolean>;
}

const NOT_PUBLISHED: PublishedReview = {
  comment_hash: null,
  check_hash: null,
  head_sha: '',
  run: 0,
  risk_level: null,
  warned_of: null,
};

/**
 * Writes what differs from the published review: first the check, then the comment, then a warning if necessary.
 *
 * @returns false if the review is no longer current, so that it was not written
 */
export async function writeReview(publication: ReviewPublication): Promise<boolean> {
  if (!(await writeCheck(publication))) return false;
  const { held, comment_mode, can_comment } = publication;
  if (!can_comment || held.pull_request.is_quiet || comment_mode === 'off') return true;
  const previous = held.pull_request.published ?? NOT_PUBLISHED;
  if (!(await writeComment(publication, previous))) return false;
  await warn(publication, previous);
  await recordLevel(publication);
  return true;
}

/** @returns false if the review is no longer current */
async function writeCheck(publication: ReviewPublication): Promise<boolean> {
  const { platform, held, review, rendered } = publication;
  const { pull_request } = held;
  const { head_sha } = review;
  if (review.plans.every((plan) => plan.head_sha !== head_sha)) return true; // there is no plan of this commit
  const { check } = rendered;
  // A check in progress shows no details, however many plans are available.
  const check_hash = hashJson(check.conclusion === null ? [head_sha] : [head_sha, check]);
  if (pull_request.published?.check_hash === check_hash) return true;
  if (!(await publication.isCurrent())) return false;

  const known = pull_request.check_sha === head_sha ? pull_request.check_id : null;
  const url = review.plans.length === 1 ? (review.plans[0]?.url ?? null) : null;
  held.signal.throwIfAborted();
  const { id } = await platform.setCheck(toRef(held), known, { head_sha, ...check, url });
  const published = { ...(pull_request.published ?? NOT_PUBLISHED), check_hash };
  await held.update({ check_id: id, check_sha: head_sha, published });
  return true;
}

/** @returns false if the review is no longer current */
async function writeComment(publication: ReviewPublication, previous: PublishedReview): Promise<boolean> {
  const { held, review, rendered } = publication;
  const { pull_request } = held;
  const { head_sha, run } = review;
  const { hash } = rendered;
  const published = { ...(pull_request.published ?? NOT_PUBLISHED), head_sha, run };
  if (pull_request.comment_id !== null && previous.comment_hash === hash) {
    if (previous.head_sha !== head_sha || previous.run !== run) await held.update({ published });
    return true;
  }
  if (pull_request.comment_id === null && rendered.nothing_to_report) {
    await held.update({ published });
    return true;
  }
  if (!(await publication.isCurrent())) return false;
  const is_new_analysis = previous.head_sha !== head_sha || previous.run !== run;
  const adds_comment = publication.comment_mode === 'new' && is_new_analysis;
  const comment_id = adds_comment ? await addComment(publication) : await upsertComment(publication);
  await held.update({ comment_id, published: { ...published, comment_hash: hash } });
  return true;
}

/** Updates the comment with the stored ID, or the one with our marker; creates one if there is none or it was deleted. */
async function upsertComment({ platform, held, review, rendered }: ReviewPublication): Promise<string> {
  const ref = toRef(held);
  const { comment_id } = held.pull_request;
  const found = comment_id === null ? await findOwnComment(platform, ref, review) : { id: comment_id, hash: null };
  if (found !== null) {
    if (found.hash === rendered.hash) return found.id;
    if (await platform.updateComment(ref, found.id, rendered.comment)) return found.id;
  }
  // A process that took over the lease may be searching for a comment right now.
  held.signal.throwIfAborted();
  return (await platform.createComment(ref, rendered.comment)).id;
}

/** Creates a new comment, unless the same one exists already because a crash lost its ID. */
async function addComment({ platform, held, review, rendered }: ReviewPublication): Promise<string> {
  const ref = toRef(held);
  for await (const { id, body } of platform.listOwnComments(ref)) {
    const mark = readMark(body);
    if (mark?.key === review.key && mark.hash === rendered.hash) return id;
  }
  held.signal.throwIfAborted();
  return (await platform.createComment(ref, rendered.comment)).id;
}

/** Finds a comment that was written before a crash lost its ID. */
async function findOwnComment(platform: Platform, ref: PullRequestRef, { key }: Review) {
  for await (const { id, body } of platform.listOwnComments(ref)) {
    const mark = readMark(body);
    if (mark?.key === key) return { id, hash: mark.hash };
  }
  return null;
}

/** An edit notifies no one, so a new comment warns approvers once if an approved plan becomes dangerous. */
async function warn({ platform, held, rendered }: ReviewPublication, previous: PublishedReview): Promise<void> {
  const { pull_request } = held;
  const { risk_level } = rendered;
  if (pull_request.state !== 'open') return;
  if (risk_level === null || previous.risk_level === null || compareLevels(risk_level, 'high') < 0) return;
  const warned_level = previous.warned_of ?? previous.risk_level;
  if (compareLevels(risk_level, previous.risk_level) <= 0 || compareLevels(risk_level, warned_level) <= 0) return;
  const ref = toRef(held);
  if (!(await platform.isApproved(ref))) return;
  held.signal.throwIfAborted();
  // Stored first: a second warning would be worse than a warning lost in a crash.
  const published = pull_request.published ?? NOT_PUBLISHED;
  await held.update({ published: { ...published, warned_of: risk_level } });
  try {
    await platform.createComment(ref, warningText(previous.risk_level, risk_level, pull_request.head_sha));
  } catch (error) {
    // The comment was not written: the next round writes it.
    if (isRateLimited(error)) await held.update({ published });
    throw error;
  }
}

function isRateLimited(error: unknown): boolean {
  return error instanceof PlatformError && error.error_class === 'rate_limited';
}

/** Stores the level for the next comparison, after a possible warning. Keeps the last level while none is known. */
async function recordLevel({ held, rendered: { risk_level } }: ReviewPublication): Promise<void> {
  const published = held.pull_request.published ?? NOT_PUBLISHED;
  if (risk_level === null || published.risk_level === risk_level) return;
  await held.update({ published: { ...published, risk_level } });
}

function toRef({ pull_request: { repo, pr_number } }: HeldPullRequest): PullRequestRef {
  return { repo, pr_number };
}

function hashJson(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

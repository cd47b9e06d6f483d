import { createHash } from 'node:crypto';
import { compareLevels, type RenderedReview, type Review, readMark } from '../../engine/index.ts';
import type { HeldPullRequest, Told } from '../../server/domains/pull-requests/index.ts';
import { type Platform, PlatformError, type PullRequestRef } from '../types.ts';
import { warningText } from './warning.ts';

/** What is to be told of a pull request, and where. */
export interface Telling {
  platform: Platform;
  held: HeldPullRequest;
  /** What the organization set: one comment kept up to date, a new one for each result, or none. */
  comment_mode: 'upsert' | 'new' | 'off';
  review: Review;
  rendered: RenderedReview;
  /** Whether the comment may change now; the check may always. */
  is_ripe: boolean;
  /** Whether what is told is still of the newest commit: the host is asked before anything is written. */
  isCurrent(): Promise<boolean>;
}

const NOTHING: Told = {
  comment_hash: null,
  check_hash: null,
  head_sha: '',
  run: 0,
  risk_level: null,
  warned_of: null,
};

/** Writes what differs from what was told before: the check first, then the comment, then a warning where it is due. */
export async function write(telling: Telling): Promise<void> {
  if (!(await writeCheck(telling))) return;
  if (!telling.is_ripe) return;
  const before = telling.held.pull_request.told ?? NOTHING;
  if (!(await writeComment(telling, before))) return;
  await warn(telling, before);
  await noteLevel(telling);
}

/** @returns false when the pull request has moved on meanwhile */
async function writeCheck(telling: Telling): Promise<boolean> {
  const { platform, held, review, rendered } = telling;
  const { pull_request } = held;
  const { head_sha } = review;
  if (review.plans.every((plan) => plan.head_sha !== head_sha)) return true; // nothing is known of this commit
  const { check } = rendered;
  // One that is in progress says no more than that, however many plans have come in.
  const check_hash = hashOf(check.conclusion === null ? [head_sha] : [head_sha, check]);
  if (pull_request.told?.check_hash === check_hash) return true;
  if (!(await telling.isCurrent())) return false;

  const known = pull_request.check_sha === head_sha ? pull_request.check_id : null;
  const url = review.plans.length === 1 ? (review.plans[0]?.url ?? null) : null;
  held.signal.throwIfAborted();
  const { id } = await platform.setCheck(refOf(held), known, { head_sha, ...check, url });
  const told = { ...(pull_request.told ?? NOTHING), check_hash };
  await held.update({ check_id: id, check_sha: head_sha, told });
  return true;
}

/** @returns whether the comment now says what was rendered; not when the pull request has moved on meanwhile */
async function writeComment(telling: Telling, before: Told): Promise<boolean> {
  const { held, review, rendered } = telling;
  const { pull_request } = held;
  if (pull_request.is_quiet || telling.comment_mode === 'off') return false;

  const { head_sha, run } = review;
  const { hash } = rendered;
  const told = { ...(pull_request.told ?? NOTHING), head_sha, run };
  if (pull_request.comment_id !== null && before.comment_hash === hash) {
    if (before.head_sha !== head_sha || before.run !== run) await held.update({ told });
    return true;
  }
  if (pull_request.comment_id === null && rendered.is_silent) {
    await held.update({ told });
    return true;
  }
  if (!(await telling.isCurrent())) return false;
  const is_new_analysis = before.head_sha !== head_sha || before.run !== run;
  const adds = telling.comment_mode === 'new' && is_new_analysis;
  const comment_id = adds ? await addComment(telling) : await putComment(telling);
  await held.update({ comment_id, told: { ...told, comment_hash: hash } });
  return true;
}

/** Updates the comment that is stored, else the one with our mark; makes one where there is none, or where it was deleted. */
async function putComment({ platform, held, review, rendered }: Telling): Promise<string> {
  const ref = refOf(held);
  const { comment_id } = held.pull_request;
  const found = comment_id === null ? await findOurs(platform, ref, review) : { id: comment_id, hash: null };
  if (found !== null) {
    if (found.hash === rendered.hash) return found.id;
    if (await platform.updateComment(ref, found.id, rendered.comment)) return found.id;
  }
  // Whoever has taken the pull request over may have looked for a comment just now, and found none.
  held.signal.throwIfAborted();
  return (await platform.createComment(ref, rendered.comment)).id;
}

/** Writes another comment, unless a crash has only kept the id of the one just written. */
async function addComment({ platform, held, review, rendered }: Telling): Promise<string> {
  const ref = refOf(held);
  for await (const { id, body } of platform.listOwnComments(ref)) {
    const mark = readMark(body);
    if (mark?.key === review.key && mark.hash === rendered.hash) return id;
  }
  held.signal.throwIfAborted();
  return (await platform.createComment(ref, rendered.comment)).id;
}

/** A comment that was written before a crash could store its id. */
async function findOurs(platform: Platform, ref: PullRequestRef, { key }: Review) {
  for await (const { id, body } of platform.listOwnComments(ref)) {
    const mark = readMark(body);
    if (mark?.key === key) return { id, hash: mark.hash };
  }
  return null;
}

/** Edits notify nobody: who approved a harmless plan hears of it when it has become a dangerous one, once. */
async function warn({ platform, held, rendered }: Telling, before: Told): Promise<void> {
  const { pull_request } = held;
  const { risk_level } = rendered;
  if (pull_request.state !== 'open' || pull_request.is_quiet) return;
  if (risk_level === null || before.risk_level === null || compareLevels(risk_level, 'high') < 0) return;
  const heard = before.warned_of ?? before.risk_level;
  if (compareLevels(risk_level, before.risk_level) <= 0 || compareLevels(risk_level, heard) <= 0) return;
  const ref = refOf(held);
  if (!(await platform.isApproved(ref))) return;
  held.signal.throwIfAborted();
  // Written down first: a second warning would be worse than one that a crash has swallowed.
  const told = pull_request.told ?? NOTHING;
  await held.update({ told: { ...told, warned_of: risk_level } });
  try {
    await platform.createComment(ref, warningText(before.risk_level, risk_level, pull_request.head_sha));
  } catch (error) {
    // Nothing was written then: it comes with the next round.
    if (isSentAway(error)) await held.update({ told });
    throw error;
  }
}

function isSentAway(error: unknown): boolean {
  return error instanceof PlatformError && error.error_class === 'rate_limited';
}

/** What the next level is compared with: while none is known, the last one; once people were warned of it, and not before. */
async function noteLevel({ held, rendered: { risk_level } }: Telling): Promise<void> {
  const told = held.pull_request.told ?? NOTHING;
  if (risk_level === null || told.risk_level === risk_level) return;
  await held.update({ told: { ...told, risk_level } });
}

function refOf({ pull_request: { repo, pr_number } }: HeldPullRequest): PullRequestRef {
  return { repo, pr_number };
}

function hashOf(said: unknown): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
